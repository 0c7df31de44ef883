/** Programs that tests use where they are installed: on PATH, or by `npm test` in test/tools. */
import fs from 'node:fs';
import path from 'node:path';

const TOOLS = path.resolve(import.meta.dirname, '../tools/node_modules/.bin');

/** The folder a program lies in; undefined when it is not installed here. */
export function folderOf(program: string): string | undefined {
  return [TOOLS, ...(process.env['PATH'] ?? '').split(path.delimiter)].find(
    (folder) => folder !== '' && fs.existsSync(path.join(folder, program)),
  );
}

/** An environment in which a program of test/tools is found as well. */
export const withTools = (env: Readonly<Record<string, string>>): Record<string, string> => ({
  ...env,
  PATH: `${env['PATH'] ?? ''}${path.delimiter}${TOOLS}`,
});
