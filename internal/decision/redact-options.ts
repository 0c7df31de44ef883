/**
 * Passwords that stand behind a short option: `mysql -pX`, `sshpass -p X`, `docker login -p X`. The letter says so only together with the
 * program, so each pattern starts at a program and looks ahead within its command. Pure, linear in the text.
 */

/** A password and where it stands. */
export interface Passed {
  start: number;
  end: number;
}

/** The rest of a command up to an option, no further than a command usually is long. */
const WITHIN = '(?=[^\\S\\n])[^\\n;|&]{0,400}?[^\\S\\n]';
/** The value in its own quotes, or up to the next space or sign. */
const VALUE = `(?:"([^"\\n]{1,200})"|'([^'\\n]{1,200})'|([^\\s"'\`;|&()<>$]{1,200}))`;

const option = (programs: string, letter: string, between: string): RegExp =>
  new RegExp(`(?<![\\w.-])(?:${programs})${WITHIN}${letter}${between}${VALUE}`, 'g');

const PATTERNS: readonly RegExp[] = [
  // For these a space after the letter means that the password is asked for.
  option('mysql(?:dump|admin|import|check|show|sh)?|mariadb(?:-[a-z]+)?|7za?|7zz', '-p', ''),
  option('sshpass|mongo(?:sh|dump|restore|export|import)?', '-p', '[ \\t]*'),
  option('login', '-p', '(?:[ \\t]+|=)'),
  option('redis-cli', '-a', '[ \\t]+'),
  option('zip|unzip|sqlcmd|bcp', '-P', '[ \\t]*'),
  option('ldap(?:search|modify|add|delete|passwd|whoami)', '-w', '[ \\t]+'),
  option('smbclient|rpcclient', '-U', '[ \\t]+[^\\s%]{1,80}%'),
  option('lftp', '-u', '[ \\t]+[^\\s,]{1,80},'),
  option('htpasswd', '-[a-zA-Z]*b[a-zA-Z]*', '[ \\t]+\\S{1,200}[ \\t]+\\S{1,80}[ \\t]+'),
];

/** One of these stands in every text with such a password. */
export const PROGRAM_HINTS = [
  'mysql',
  'mariadb',
  '7z',
  'sshpass',
  'mongo',
  'login',
  'redis-cli',
  'zip',
  'sqlcmd',
  'bcp',
  'ldap',
  'smbclient',
  'rpcclient',
  'lftp',
  'htpasswd',
];

/** The passwords behind short options. Options that only look so (`docker login -p` without a word) are none. */
export function optionPasswords(text: string): readonly Passed[] {
  return PATTERNS.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const value = match[1] ?? match[2] ?? match[3] ?? '';
      const quoted = match[3] === undefined;
      const end = match.index + match[0].length - (quoted ? 1 : 0);
      return value.startsWith('-') || value.startsWith('[redacted') || value.startsWith('$') ? [] : [{ start: end - value.length, end }];
    }),
  );
}
