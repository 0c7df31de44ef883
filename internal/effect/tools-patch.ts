/** Patches as tools bring them: `*** Begin Patch` with its sections, and unified diffs. */
import type { Edit } from '../action/action.ts';
import type { Base, Effect } from './effect.ts';
import { pathTarget } from './family.ts';
import { writing } from './files-paths.ts';

interface Section {
  op: 'add' | 'update' | 'delete';
  path: string;
  to?: string;
  lines: string[];
}

/** The effects of applying a patch text in a directory. */
export function effectsOfPatch(text: string, base: Base, cwd: string): readonly Effect[] {
  return sections(text).flatMap((section) => ofSection(section, base, cwd));
}

function ofSection(section: Section, base: Base, cwd: string): Effect[] {
  const target = pathTarget(section.path, cwd);
  const about: Base = { ...base, source: `${base.by} ${section.path}` };
  const command = about.source;
  if (section.op === 'delete') return [{ kind: 'file.delete', ...about, targets: [target], recursive: false, how: base.by, command }];
  if (section.op === 'add') {
    const content = section.lines
      .filter((line) => line.startsWith('+'))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
    return writing(about, [target], { mode: 'truncate', content, how: base.by, command });
  }
  const effects = writing(about, [target], { mode: 'in-place', edits: editsOf(section.lines), how: base.by, command });
  if (section.to === undefined) return effects;
  return [
    ...effects,
    {
      kind: 'file.move',
      ...about,
      sources: [target],
      dest: pathTarget(section.to, cwd),
      into: false,
      noClobber: false,
      backup: false,
      command,
    },
  ];
}

function sections(text: string): Section[] {
  const found: Section[] = [];
  let from: string | undefined;
  for (const line of text.split('\n')) {
    const head = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line);
    const last = found.at(-1);
    if (head) found.push({ op: head[1]!.toLowerCase() as Section['op'], path: head[2]!.trim(), lines: [] });
    else if (line.startsWith('*** Move to: ') && last) last.to = line.slice('*** Move to: '.length).trim();
    else if (line.startsWith('--- ')) from = diffName(line.slice(4));
    else if (line.startsWith('+++ ') && from !== undefined) {
      const to = diffName(line.slice(4));
      found.push({ op: from === '' ? 'add' : to === '' ? 'delete' : 'update', path: to || from, lines: [] });
      from = undefined;
    } else last?.lines.push(line);
  }
  return found;
}

/** `a/src/x.ts` -> `src/x.ts`; `/dev/null` -> ''. */
function diffName(text: string): string {
  const name = text.split('\t')[0]!.trim();
  return name === '/dev/null' ? '' : name.replace(/^[ab]\//, '');
}

/** Hunks as edits: the lines that go and stay, against those that come and stay. */
function editsOf(lines: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  let before: string[] = [];
  let after: string[] = [];
  const flush = () => {
    if (before.length + after.length > 0) edits.push({ before: before.join('\n'), after: after.join('\n') });
    before = [];
    after = [];
  };
  for (const line of lines) {
    if (line.startsWith('@@') || line.startsWith('***')) flush();
    else if (line.startsWith('-')) before.push(line.slice(1));
    else if (line.startsWith('+')) after.push(line.slice(1));
    else if (line.startsWith(' ')) {
      before.push(line.slice(1));
      after.push(line.slice(1));
    }
  }
  flush();
  return edits;
}
