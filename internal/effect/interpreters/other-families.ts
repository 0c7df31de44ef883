/** Programs that hand text to another reader: PowerShell, cmd, AppleScript, Tcl. */

import { resolve } from 'node:path/posix';
import { readCmd, readPowershell } from '../../shell/powershell.ts';
import { powershellArgs } from '../../shell/powershell-arguments.ts';
import { cmdText } from '../../shell/powershell-cmd-tokens.ts';
import { isOption, textOf, type Word } from '../../shell/word.ts';
import type { Effect } from '../effect.ts';
import { baseOf, type Family } from '../family.ts';
import { joinCode } from './arguments.ts';
import { SCRIPT_LIMIT } from './families.ts';
import { effectsOfProgram } from './program.ts';
import { rebased, withHoles } from './words.ts';

export const powershell: Family = (command, context) => {
  const found = powershellArgs(command.args);
  const base = baseOf(command);
  const { stdin } = command;
  const piped = found.stdin && (stdin.from === 'text' || stdin.from === 'pipe') ? textOf(stdin.text) : undefined;
  const file =
    found.file !== undefined && command.cwd !== undefined
      ? context.look.read(resolve(command.cwd, found.file.replaceAll('\\', '/')), SCRIPT_LIMIT)
      : undefined;
  const text = found.command ?? piped ?? file;
  if (text === undefined) return [];
  const line = readPowershell(text, { cwd: command.cwd, look: context.look });
  const label = file !== undefined && found.command === undefined ? `powershell ${found.file}` : 'powershell';
  return rebased(context.effectsOfRead(line.commands, command.cwd), base, label);
};

export const cmd: Family = (command, context) => {
  const words = command.args.map(cmdText);
  const at = words.findIndex((word) => /^\/\/?[ckr]$/i.test(word));
  if (at < 0) return [];
  // Git Bash turns `/s` into a path; who knows that writes `//s`.
  const own = words.slice(at + 1).map((word) => word.replace(/^\/(\/[A-Za-z?][\w:-]*)$/, '$1'));
  const line = readCmd(own.join(' '), { cwd: command.cwd, look: context.look });
  return rebased(context.effectsOfRead(line.commands, command.cwd), baseOf(command), 'cmd');
};

/** osascript: AppleScript's `do shell script "…"`, or JavaScript with -l. */
export const osascript: Family = (command, context) => {
  const codes: Word[] = [];
  let javascript = false;
  for (let i = 0; i < command.args.length; i++) {
    const text = textOf(command.args[i]);
    if (text === '-e' && command.args[i + 1]) codes.push(command.args[++i]!);
    else if (text === '-l') javascript = /javascript/i.test(textOf(command.args[++i]) ?? '');
  }
  if (codes.length === 0 && (command.stdin.from === 'text' || command.stdin.from === 'pipe') && command.stdin.text)
    codes.push(command.stdin.text);
  if (codes.length === 0) return [];
  const base = baseOf(command);
  const { text, holes } = withHoles(joinCode(codes));
  if (javascript)
    return effectsOfProgram({ text, holes, language: 'js', label: 'osascript', base, look: context.look, read: context.effectsOf });
  const effects: Effect[] = [];
  const script = /\bdo shell script\s+"((?:[^"\\]|\\.)*)"([^\n]*)/gi;
  for (const match of text.matchAll(script)) {
    const line = match[1]!.replace(/\\(.)/g, (_all, c: string) => (c === 'n' ? '\n' : c));
    const root = /with administrator privileges/i.test(match[2] ?? '');
    effects.push(...rebased(context.effectsOf(line, command.cwd), { ...base, root: base.root || root }, 'osascript'));
  }
  const finder = /\bdelete\s+(?:every\s+)?(?:item|file|folder|POSIX file)\b/i.test(text) && /\bFinder\b/.test(text);
  if (finder)
    effects.push({
      kind: 'unknown',
      ...base,
      why: 'dynamic',
      destructive: false,
      detail: 'Finder moves items to the trash',
      command: command.source,
    });
  if (/\b(?:shut down|restart)\b/i.test(text) && /\b(?:System Events|Finder|loginwindow)\b/.test(text))
    effects.push({ kind: 'system.state', ...base, how: 'power', detail: 'shut down or restart', command: command.source });
  return effects;
};

/** tclsh: `exec rm …`, `file delete -force …` of a script on standard input or in a file. */
export const tcl: Family = (command, context) => {
  const file = command.args.find((word) => !isOption(word));
  const path = file && command.cwd !== undefined ? textOf(file) : undefined;
  const text =
    path !== undefined
      ? context.look.read(resolve(command.cwd!, path), SCRIPT_LIMIT)
      : command.stdin.from === 'text' || command.stdin.from === 'pipe'
        ? textOf(command.stdin.text)
        : undefined;
  if (text === undefined) return [];
  const base = baseOf(command);
  const effects: Effect[] = [];
  for (const line of text.split(/[\n;]/).slice(0, 5000)) {
    const words = line.trim();
    const exec = /^\[?(?:catch\s*\{)?\s*exec\s+(?:--\s+)?([^{}[\]]+)/.exec(words);
    if (exec) effects.push(...rebased(context.effectsOf(exec[1]!, command.cwd), base, 'tclsh'));
    const remove = /^file\s+delete\s+(?:-force\s+)?(?:--\s+)?([^{}[\]]+)$/.exec(words);
    if (remove) effects.push(...rebased(context.effectsOf(`rm -rf -- ${remove[1]!}`, command.cwd), base, 'tclsh'));
  }
  return effects;
};
