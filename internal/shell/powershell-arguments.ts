/** The arguments of powershell and pwsh. */
import { decodeBase64 } from './powershell-decode.ts';
import type { Script } from './powershell-tree.ts';
import { textOf, type Word } from './word.ts';

/** What `powershell ARGS` would run. */
export interface PowershellArgs {
  command?: string;
  /** It was given as base64. */
  encoded?: boolean;
  file?: string;
  stdin?: boolean;
  block?: Script;
  /** The text is there but not known. */
  dynamic?: boolean;
}

/** Reads the arguments of powershell or pwsh: names may be cut, a text without a name is the command. */
export function powershellArgs(args: readonly Word[]): PowershellArgs {
  for (let i = 0; i < args.length; i++) {
    const text = textOf(args[i]);
    if (text === undefined) return { dynamic: true };
    const name = /^[-/–—]{1,2}([A-Za-z]+)$/.exec(text)?.[1]?.toLowerCase();
    if (name === undefined) return /\.ps1$/i.test(text) ? { file: text } : rest(args.slice(i));
    if ('commandwithargs' === name || name === 'cwa') return rest(args.slice(i + 1, i + 2));
    if ('command'.startsWith(name)) return textOf(args[i + 1]) === '-' || i + 1 >= args.length ? { stdin: true } : rest(args.slice(i + 1));
    if ('encodedcommand'.startsWith(name) || name === 'ec') {
      const value = textOf(args[i + 1]);
      if (value?.startsWith('-')) return {};
      const command = decodeBase64(value, true);
      return command === undefined ? { encoded: true, dynamic: true } : { encoded: true, command };
    }
    if ('file'.startsWith(name)) {
      const value = textOf(args[i + 1]);
      return value === undefined ? { dynamic: true } : value === '-' ? { stdin: true } : { file: value };
    }
    if (name === 'version' || name === 'help') return {};
    if (
      /^(?:ex|ep|executionpolicy|w|wi|windowstyle|inputformat|inp|outputformat|o|of|wd|workingdirectory|configurationname|config|psconsolefile|settingsfile|settings|custompipename|v)/.test(
        name,
      ) &&
      !'noexit'.startsWith(name)
    )
      i++;
  }
  return { stdin: true };

  function rest(words: readonly Word[]): PowershellArgs {
    const texts = words.map((word) => textOf(word));
    return texts.includes(undefined) ? { dynamic: true } : { command: texts.join(' ') };
  }
}
