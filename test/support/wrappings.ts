/** The wrappings of the whole-table test: other ways to write the same line. */
import { type Command, parse } from 'unbash';
import { quote } from '../../internal/rule/quote.ts';
import type { Wrapping } from '../../internal/rule/rule.ts';

/** The one plain command a line consists of, when it does. */
function onlyCommand(line: string): Command | undefined {
  const script = parse(line);
  const only = script.commands.length === 1 ? script.commands[0] : undefined;
  if (!only || only.background || script.errors?.length) return undefined;
  const command = only.command;
  return command.type === 'Command' && command.name && command.prefix.length === 0 ? command : undefined;
}

const plain = (line: string): Command | undefined => {
  const command = onlyCommand(line);
  return command?.redirects.every((each) => each.type === 'Redirect') && !line.startsWith('#') ? command : undefined;
};

/** Puts a line between two others, each on lines of its own when it holds a here-document or a comment. */
const around = (before: string, line: string, after: string): string => `${before}${line}${/\n|<<|#/.test(line) ? '\n' : ''}${after}`;

/** How each wrapping changes a line; undefined where it does not fit. */
export const WRAPPINGS: Readonly<Record<Wrapping, (line: string) => string | undefined>> = {
  cd: (line) => `cd . && ${line}`,
  env: (line) =>
    plain(line) &&
    ![
      'cd',
      'export',
      'eval',
      'source',
      '.',
      'set',
      'alias',
      'trap',
      'declare',
      ':',
      'local',
      'unset',
      'read',
      'printf',
      'history',
      'exec',
      'ulimit',
    ].includes(plain(line)!.name!.value)
      ? `env A=1 ${line}`
      : undefined,
  'bash-c': (line) => `bash -c ${quote(line)}`,
  subshell: (line) => around('(', line, /\n|<<|#/.test(line) ? ')' : ' )'),
  background: (line) => (/&\s*$/.test(line) || /\n|<<|#/.test(line) ? undefined : `${line} &`),
  time: (line) => (plain(line) ? `time ${line}` : undefined),
  quoting: (line) => {
    const name = plain(line)?.name;
    return name && /^[a-z]{2,}$/.test(name.text) ? `${line.slice(0, name.pos + 1)}''${line.slice(name.pos + 1)}` : undefined;
  },
  loop: (line) => (line.trimEnd().endsWith('&') ? undefined : around('for i in 1; do ', line, /\n|<<|#/.test(line) ? 'done' : '; done')),
  substitution: (line) => (line.trimEnd().endsWith('&') ? undefined : around('x="$(', line, ')"')),
  xargs: (line) => {
    const command = plain(line);
    const words = command?.args ?? [];
    const last = words.at(-1);
    if (
      !command ||
      !last ||
      last.type !== 'Word' ||
      last.parts ||
      last.text.startsWith('-') ||
      command.redirects.length > 0 ||
      /\s/.test(last.text) ||
      words.length < 2
    )
      return undefined;
    return `echo ${last.text} | xargs ${line.slice(0, last.pos).trimEnd()}`;
  },
};
