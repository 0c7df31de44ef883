/** Before the tests: builds the bundle they drive, and makes the folder they share. */
import { rmSync } from 'node:fs';
// @ts-expect-error a build script without types
import { buildAll } from '../../hack/build.mjs';
import { sharedFolder } from './sandbox.ts';

export default async function setup(): Promise<() => void> {
  // `npm test` has just done it.
  if (process.env['WAYGATE_BUILT'] !== '1') await buildAll();
  const folder = sharedFolder();
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
