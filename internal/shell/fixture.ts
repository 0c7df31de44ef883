/** For tests: a world in which nothing lies anywhere. */
import type { Look } from './command.ts';

export const EMPTY_LOOK: Look = {
  env: () => undefined,
  home: '/home/dev',
  tmp: '/tmp',
  stat: () => undefined,
  read: () => undefined,
  list: () => undefined,
  gitConfig: () => [],
};
