/** What of a run's output is shown: its last lines, lines with a text, or the part that says why it failed. Pure. */
import { failureBlock } from './failure.ts';

export interface Projection {
  failure?: boolean;
  grep?: string;
  tail?: number;
}

/** Lines shown around one that holds the text. */
const AROUND = 2;

/** Colours and cursor movements are not text. */
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z\\-_]/g;

/** A log as lines: without colours, and of a line that was written over only what stood there last. */
export function linesOf(text: string): string[] {
  const lines = text.replace(ANSI, '').replace(/\r+\n/g, '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.includes('\r') ? line.slice(line.lastIndexOf('\r', line.length - 2) + 1).replace(/\r$/, '') : line));
}

/** Is anything but the whole asked for? */
export const isProjected = (asked: Projection): boolean => asked.failure === true || asked.grep !== undefined || asked.tail !== undefined;

/** The lines asked for. `failed`: only then there is a failure to show. */
export function project(text: string, asked: Projection, failed: boolean): readonly string[] {
  const all = linesOf(text);
  if (asked.failure && !failed && asked.grep === undefined && asked.tail === undefined) return [];
  let lines: readonly string[] = asked.failure && failed ? failureBlock(all) : all;
  if (asked.grep !== undefined) lines = grepped(lines, asked.grep);
  return asked.tail === undefined ? lines : lines.slice(-asked.tail);
}

/** Lines that hold the text, whatever its case, with a few around; `--` between blocks, as grep has it. */
export function grepped(lines: readonly string[], text: string): readonly string[] {
  const wanted = text.toLowerCase();
  const shown = new Set<number>();
  lines.forEach((line, at) => {
    if (!line.toLowerCase().includes(wanted)) return;
    for (let i = Math.max(0, at - AROUND); i <= Math.min(lines.length - 1, at + AROUND); i++) shown.add(i);
  });
  const out: string[] = [];
  let last = -1;
  for (const at of [...shown].sort((a, b) => a - b)) {
    if (last !== -1 && at !== last + 1) out.push('--');
    out.push(lines[at]!);
    last = at;
  }
  return out;
}
