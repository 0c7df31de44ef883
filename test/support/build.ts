/** Builds the bundle once before the tests: they drive the built program. */
// @ts-expect-error a build script without types
import { buildAll } from '../../hack/build.mjs';

export default async function setup(): Promise<void> {
  // `npm test` has just done it.
  if (process.env['WAYGATE_BUILT'] !== '1') await buildAll();
}
