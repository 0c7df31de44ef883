/** Reads `git status --porcelain=v2 -z`. Pure. */

/** One path that is not as HEAD and the index have it. Paths are relative to the top of the work tree. */
export interface StatusEntry {
  kind: 'changed' | 'unmerged' | 'untracked' | 'ignored';
  /** Index against HEAD, work tree against index: `.`, `M`, `T`, `A`, `D`. */
  x: string;
  y: string;
  /** Without a slash at the end. */
  path: string;
  /** Written with a slash at the end: a directory, for untracked ones a repository of its own. */
  directory: boolean;
  /** The blob in HEAD and in the index; undefined where there is none. */
  head?: string;
  index?: string;
  /** Mode in the index, octal. */
  mode?: string;
  submodule: boolean;
}

export function parseStatus(text: string): readonly StatusEntry[] {
  const entries: StatusEntry[] = [];
  const records = text.split('\0');
  for (let i = 0; i < records.length; i++) {
    const record = records[i] as string;
    const sort = record[0];
    if (sort === '1' || sort === '2') {
      const fields = record.split(' ');
      const path = fields.slice(sort === '1' ? 8 : 9).join(' ');
      if (sort === '2') i++;
      entries.push({
        kind: 'changed',
        ...letters(fields[1]),
        path,
        directory: false,
        head: oid(fields[6]),
        index: oid(fields[7]),
        mode: fields[4],
        submodule: fields[2]?.[0] === 'S',
      });
    } else if (sort === 'u') {
      const fields = record.split(' ');
      entries.push({
        kind: 'unmerged',
        ...letters(fields[1]),
        path: fields.slice(10).join(' '),
        directory: false,
        head: oid(fields[8]),
        submodule: fields[2]?.[0] === 'S',
      });
    } else if (sort === '?' || sort === '!') {
      const path = record.slice(2);
      const directory = path.endsWith('/');
      entries.push({
        kind: sort === '?' ? 'untracked' : 'ignored',
        x: '.',
        y: '.',
        path: directory ? path.slice(0, -1) : path,
        directory,
        submodule: false,
      });
    }
  }
  return entries;
}

const letters = (field: string | undefined): { x: string; y: string } => ({ x: field?.[0] ?? '.', y: field?.[1] ?? '.' });
const oid = (field: string | undefined): string | undefined => (field && !/^0+$/.test(field) ? field : undefined);
