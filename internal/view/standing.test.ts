import { describe, expect, it } from 'vitest';
import type { Decision } from '../decision/record.ts';
import type { BoundaryView } from '../ledger/records.ts';
import { standingOf, standingView } from './standing.ts';

const boundary = (name: string, more: Partial<BoundaryView> = {}): BoundaryView => ({
  boundary: name,
  category: 'work-loss',
  persistence: 'state-change',
  rule: 'file-delete',
  first: `D-${name}`,
  says: `${name} would be lost.`,
  count: 1,
  counted: 1,
  preconditions: '',
  byAgent: { '': 1 },
  prompt: 0,
  tools: ['Bash'],
  decisions: [`D-${name}`],
  ...more,
});
const viewOf = (...all: BoundaryView[]) => ({ boundaries: Object.fromEntries(all.map((each) => [each.boundary, each])) });

describe('what is handed over after a compaction', () => {
  it('nothing when nothing stands', () => expect(standingView([])).toBe(''));

  it('category, boundary, first decision, sentence, what could change it, way out', () => {
    const decision = { remedies: [{ kind: 'run', run: 'waygate checkpoint -- a', because: '' }] } as unknown as Decision;
    const text = standingView(standingOf(viewOf(boundary('file.delete /w/a', { count: 3 })), new Map([['D-file.delete /w/a', decision]])));
    for (const part of [
      'work-loss: file.delete /w/a [file-delete], 3 refusals; first D-file.delete /w/a',
      'would be lost. This stays so until that state changes.',
      'Way out: waygate checkpoint -- a',
    ])
      expect(text).toContain(part);
  });

  it('another path was taken: one line, below what still blocks', () => {
    const text = standingView(standingOf(viewOf(boundary('old', { adapted: true }), boundary('now')), new Map()));
    expect(text.split('\n').filter((line) => line.includes('old'))).toEqual(['- work-loss: old [file-delete]']);
    expect(text.indexOf('now')).toBeLessThan(text.indexOf('old'));
  });

  it('is bounded, and keeps no hidden character', () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      boundary(`b${index}\u202e ${'x'.repeat(500)}`, {
        adapted: index % 2 === 0,
        says: 'y'.repeat(2000),
        first: `D${index}`,
        decisions: [`D${index}`],
      }),
    );
    const text = standingView(standingOf(viewOf(...many), new Map()));
    expect(text.length).toBeLessThan(6000);
    expect(text).not.toContain('\u202e');
    expect(text).toContain('more');
  });

  it('calls outside whose end is not known come with the question that tells', () => {
    const open = [
      {
        id: 'I1',
        at: '',
        boundary: 'git.push origin/x',
        agent: '',
        tool: 'Bash',
        digest: '',
        summary: 'git push',
        status: 'git ls-remote origin x',
      },
    ];
    expect(standingView([], open)).toContain('git.push origin/x (I1); ask: git ls-remote origin x');
  });
});
