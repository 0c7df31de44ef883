/** The option parser lies with the shell reader, whose wrappers need it too. */
export { parseOptions, type Grammar, type Parsed } from '../shell/options.ts';
