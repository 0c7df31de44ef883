import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasBlock,
  isShellScript,
  isWrapper,
  newHook,
  ownBlock,
  runsBefore,
  sharedBlock,
  withBlock,
  withoutBlock,
  wrapper,
} from './block.ts';

const BLOCK = ownBlock(['/usr/bin/node', '/home/d/.local/share/waygate/waygate.cjs']);

describe('the block in a pre-push hook', () => {
  it('goes in after the first line and out again byte for byte, whatever else stands there', () => {
    const first = fc.constantFrom('', '#!/bin/sh', '#!/bin/sh\n', '#!/usr/bin/env bash\n', '#!/bin/sh -e\n\n');
    fc.assert(
      fc.property(
        first,
        fc.string({ maxLength: 200 }),
        fc.constantFrom(BLOCK, sharedBlock(true), sharedBlock(false)),
        (head, rest, block) => {
          const text = head.endsWith('\n') || head === '' ? head + rest : head;
          const { text: wired, inserted } = withBlock(text, block);
          expect(withoutBlock(wired, inserted)).toBe(text);
          // What is remembered may be gone: the marks say where it is.
          if (!text.startsWith('#!') || text.includes('\n')) expect(withoutBlock(wired)).toBe(text);
        },
      ),
    );
  });

  it.each([
    ['#!/bin/sh\n', true],
    ['#!/usr/bin/env bash\n', true],
    ['#!/usr/bin/env -S bash -e\n', true],
    ['#! /bin/zsh -f\n', true],
    ['npm test\n', true],
    ['#!/usr/bin/env node\n', false],
    ['#!/usr/bin/python3\n', false],
    ['#!/usr/bin/fish\n', false],
    ['\0ELF', false],
  ])('%j is a shell script: %s', (text, expected) => expect(isShellScript(text)).toBe(expected));

  it('what runs before it is seen, comments are not', () => {
    expect(runsBefore(newHook(BLOCK))).toBe(false);
    expect(runsBefore(`#!/bin/sh\n# a note\n\n${BLOCK}`)).toBe(false);
    expect(runsBefore(`#!/bin/sh\nexit 0\n${BLOCK}`)).toBe(true);
  });

  it('a wrapper without its block is known as one', () => {
    expect(isWrapper(withoutBlock(wrapper(BLOCK, true)))).toBe(true);
    expect(isWrapper(withoutBlock(wrapper(BLOCK, false)))).toBe(true);
    expect(isWrapper('#!/bin/sh\necho own\n')).toBe(false);
    expect(hasBlock(wrapper(BLOCK, true))).toBe(true);
  });

  it('a committed block names no place of this machine', () => {
    expect(sharedBlock(true)).not.toMatch(/\/home|\/usr|\/bin\//);
  });
});
