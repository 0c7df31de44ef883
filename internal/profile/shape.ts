/** Shapes of what was read from a file of the workspace: nothing there is trusted to have the type it should have. */

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The texts of a list, or the one text there is. */
export const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** What lies at a path of keys. */
export function inside(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** JSON with comments and trailing commas, as the tools of the JavaScript world read it; undefined when it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(
        text
          .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_all, quoted: string | undefined) => quoted ?? '')
          .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_all, quoted: string | undefined) => quoted ?? ''),
      );
    } catch {
      return undefined;
    }
  }
}

/** The line of the first match, counted from 1. */
export function lineOf(text: string, pattern: RegExp): number | undefined {
  const at = text.search(pattern);
  return at === -1 ? undefined : text.slice(0, at).split('\n').length;
}

/** A pattern for a JSON key. */
export const keyPattern = (name: string): RegExp => new RegExp(`"${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"\\s*:`);
