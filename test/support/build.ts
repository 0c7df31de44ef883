/** Before the tests: builds the bundle and the executable they drive, and makes the folder they share. */
import { rmSync } from 'node:fs';
// @ts-expect-error a build script without types
import { buildAll, compileQuickly } from '../../hack/build.mjs';
import { sharedFolder } from './sandbox.ts';

export default async function setup(): Promise<() => void> {
  // `npm test` has just done it.
  if (process.env['WAYGATE_BUILT'] !== '1') await buildAll();
  const folder = await sharedFolder(compileQuickly);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
