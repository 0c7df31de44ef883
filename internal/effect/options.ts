/** The option parser lies with the shell reader, whose wrappers need it too. */
export { type Grammar, type Parsed, parseOptions } from '../shell/options.ts';
