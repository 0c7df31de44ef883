/** Programs in other languages than the shell's: what their text would do. */
import type { Look } from '../../shell/command.ts';
import type { Base, Effect } from '../effect.ts';
import type { ReadShell } from './machine.ts';
import type { LanguageName } from './parse-core.ts';
import { effectsOfProgram } from './program.ts';

export { interpreterFamilies, scripts } from './families.ts';

const LANGUAGES: Readonly<Record<string, LanguageName>> = {
  python: 'python',
  node: 'js',
  javascript: 'js',
  typescript: 'js',
  ruby: 'ruby',
  perl: 'perl',
  php: 'php',
  lua: 'lua',
  r: 'r',
};

/**
 * The effects of a program text, for tools that take code. `language`: python, node, ruby, perl, php, lua, r.
 * `read` reads the shell lines that the program starts; without it they are not looked at.
 */
export function programEffects(language: string, text: string, base: Base, look: Look, read: ReadShell = () => []): Effect[] {
  const known = LANGUAGES[language.toLowerCase()];
  return known ? effectsOfProgram({ text, language: known, label: language, base, look, read }) : [];
}
