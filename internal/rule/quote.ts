/** Quoting for remedies: a remedy is argv, and this is the only function that turns argv into a line. */

/**
 * One argument as POSIX shell text that reads back as exactly that argument.
 * Text with control characters uses `$'…'`, which bash, zsh and ksh read.
 */
export function quote(argument: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(argument) && !argument.startsWith('=')) return argument;
  if (argument === '') return "''";
  if (/[\u0000-\u001f\u007f]/.test(argument)) {
    const body = argument
      .replace(/[\\']/g, '\\$&')
      .replace(/[\u0000-\u001f\u007f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
    return `$'${body}'`;
  }
  return `'${argument.replaceAll("'", "'\\''")}'`;
}

/** argv as one line. */
export const quoteLine = (argv: readonly string[]): string => argv.map(quote).join(' ');
