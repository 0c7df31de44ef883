/** Changes of a git hook that take nothing from it. */

/** One more check: a plain call of a program, nothing that could end the hook or pass over a step. */
const STEP =
  /^\s*(?:#(?!!).*|(?:npx|npm|pnpm|yarn|bunx?|make|just|task|cargo|go|uv|poetry|python3?|pytest|ruff|black|mypy|eslint|prettier|tsc|lint-staged|bundle|mix|dotnet|composer|pre-commit|bash|sh|\.?[\w-]*\/[\w./-]+)(?:\s[^;&|<>`$(){}#\\]*)?)?$/;

/**
 * Are all steps of a hook still there, in their order, with nothing but further steps between them? None may come before the guard's own: it
 * could read away what git tells the hook on standard input.
 */
export function keepsSteps(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const old = before.split('\n');
  const guard = old.findLastIndex((line) => /waygate/i.test(line));
  let at = 0;
  for (const line of after.split('\n')) {
    if (at < old.length && line === old[at]) at++;
    else if (!STEP.test(line) || at <= guard || old[at - 1]?.endsWith('\\') || (at === 0 && old[0]?.startsWith('#!'))) return false;
  }
  return old.slice(at).every((line) => line.trim() === '');
}
