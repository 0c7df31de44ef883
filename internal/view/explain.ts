/** What `waygate explain` shows: everything a judgement went through, in order. A pure function; colours are given. */
import type { Action } from '../action/action.ts';
import type { Decision } from '../decision/record.ts';
import { redact, redactArgv, redactDeep } from '../decision/redact.ts';
import type { Effect, Target } from '../effect/effect.ts';
import type { Line } from '../shell/command.ts';
import { line as oneLine, visible } from './visible.ts';

type Paint = (colour: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string) => string;

export interface Explained {
  action: Action;
  line: Line | undefined;
  effects: readonly Effect[];
  decision: Decision;
  agent: string;
  person: string;
  assumed: string | undefined;
}

const WIDTH = 110;
const COLOURS = { pass: 'green', notice: 'cyan', advise: 'yellow', deny: 'red' } as const;

export function explanation(it: Explained, paint: Paint): string {
  const { decision } = it;
  const section = (title: string, lines: readonly string[]): string =>
    `${paint('bold', title)}\n${lines.map((each) => `  ${each}`).join('\n')}`;
  const parts = [
    section('Call', [
      `${it.action.tool}  ${oneLine(subject(it.action), WIDTH)}`,
      paint('dim', `in ${visible(it.action.cwd)}${it.assumed ? `, assuming the ${it.assumed} case` : ''}`),
    ]),
  ];
  if (it.line) parts.push(section('Read as', commandLines(it.line, it.action.cwd, paint)));
  parts.push(
    section('Would do', it.effects.length > 0 ? it.effects.map((effect) => effectLine(effect, paint)) : ['nothing that any rule is about']),
  );
  parts.push(section('At stake', stakeLines(decision)));
  parts.push(section('Rules that spoke', findingLines(decision, paint)));
  parts.push(section('Verdict', verdictLines(decision, paint)));
  if (it.agent) parts.push(section('The agent reads', it.agent.split('\n')));
  if (it.person) parts.push(section('The person reads', it.person.split('\n')));
  return parts.join('\n\n');
}

const subject = (action: Action): string =>
  action.input.command === undefined ? JSON.stringify(redactDeep(action.raw)) : redact(action.input.command);

function commandLines(line: Line, cwd: string, paint: Paint): string[] {
  const lines = line.commands.map((command) => {
    const notes = [
      ...command.via.map((via) => `via ${via}`),
      ...(command.cwd === undefined ? ['in a directory that is not known'] : command.cwd === cwd ? [] : [`in ${command.cwd}`]),
      ...(command.remote ? ['on another machine'] : []),
      ...(command.root ? ['as root'] : []),
      ...(command.looped ? ['repeated'] : []),
      ...(command.background ? ['in the background'] : []),
      ...(command.certain ? [] : ['perhaps']),
    ];
    return `${oneLine(redactArgv(command.argv.map((word) => word.raw)).join(' '), WIDTH)}${notes.length > 0 ? paint('dim', `   (${visible(notes.join(', '))})`) : ''}`;
  });
  const unread = line.unread.map((each) => paint('yellow', `not read (${each.why}): ${oneLine(each.detail, WIDTH)}`));
  return lines.length + unread.length > 0 ? [...lines, ...unread] : ['no command'];
}

/** Fields that say how an effect was found, not what it is. */
const ABOUT = new Set([
  'kind',
  'step',
  'given',
  'certain',
  'cwd',
  'via',
  'remote',
  'root',
  'source',
  'by',
  'env',
  'command',
  'repo',
  'content',
  'edits',
  'instead',
  'preview',
  'shape',
]);

function effectLine(effect: Effect, paint: Paint): string {
  const details = Object.entries(redactDeep(effect) as Effect)
    .filter(([name, value]) => !ABOUT.has(name) && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name} ${shown(value)}`);
  return `${paint('cyan', effect.kind)}  ${oneLine(redact(details.join(', ')), WIDTH)}${effect.certain ? '' : paint('dim', '   (perhaps)')}`;
}

function shown(value: unknown): string {
  if (isTarget(value)) return value.path ?? `${value.prefix || value.raw}…`;
  if (Array.isArray(value)) return value.map(shown).join(' ');
  if (value && typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

const isTarget = (value: unknown): value is Target => typeof value === 'object' && value !== null && 'prefix' in value && 'raw' in value;

const stakeLines = (decision: Decision): string[] =>
  decision.atStake?.length ? decision.atStake.map((name) => oneLine(name, WIDTH)) : ['nothing that would be lost for good'];

function findingLines(decision: Decision, paint: Paint): string[] {
  const lines = decision.findings.map(
    (each) => `${paint(COLOURS[each.verdict], each.verdict.padEnd(6))}  ${each.rule}  ${oneLine(each.says, WIDTH)}`,
  );
  return lines.length > 0 ? [...new Set(lines)] : ['none'];
}

function verdictLines(decision: Decision, paint: Paint): string[] {
  const lines = [paint(COLOURS[decision.verdict], decision.verdict)];
  if (decision.kind !== 'policy')
    lines.push(decision.kind === 'validation' ? 'the request could not be read' : 'the guard could not judge');
  if (decision.boundary) lines.push(paint('dim', `boundary  ${oneLine(decision.boundary, WIDTH)}`));
  if (decision.category) lines.push(paint('dim', `category  ${decision.category}, ${decision.persistence ?? ''}`));
  lines.push(paint('dim', `took      ${decision.took.ms} ms, ${decision.took.git} git processes; policy ${decision.policy}`));
  return lines;
}
