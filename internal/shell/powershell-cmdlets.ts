/**
 * Cmdlets and their aliases as the POSIX commands of the same effect, so that every family of effects understands them.
 * What has no counterpart keeps its own name.
 */
import { act, type Call, type Cmdlet, flags } from './powershell-call.ts';
import { compress, content, create, expand, getItem, list, PATHS, pathsOf, read, remove, rename, twoPaths } from './powershell-files.ts';
import type { Given, Spec } from './powershell-params.ts';
import { bits, block, disk, invoke, processes, registry, simple, startProcess, stopProcess, web } from './powershell-programs.ts';
import { concat, holeWord, NOTHING, pathWord, type Run, unknown, type Val } from './powershell-run.ts';
import { joinPath } from './powershell-values.ts';
import { literal, textOf, type Word } from './word.ts';

export const values = (work: (given: Given, call: Call, run: Run) => Val, spec: Spec): Cmdlet => ({ spec, act: work });

/** Full cmdlet names, lower case. */
export const CMDLETS: Readonly<Record<string, Cmdlet>> = {
  'remove-item': remove,
  'clear-content': {
    spec: PATHS,
    act: (given, call, run) => act(run, call, 'truncate', [literal('-s'), literal('0'), ...pathsOf(given, call)]),
  },
  'set-content': content('>', 'path', 'value'),
  'add-content': content('>>', 'path', 'value'),
  'out-file': content('>', 'filepath', ''),
  'export-csv': content('>', 'path', ''),
  'export-clixml': content('>', 'path', ''),
  'tee-object': content('>', 'filepath', ''),
  'move-item': twoPaths('mv'),
  'copy-item': twoPaths('cp'),
  'rename-item': rename,
  'new-item': create,
  'stop-process': stopProcess,
  'get-process': processes,
  'invoke-webrequest': web,
  'invoke-restmethod': web,
  'start-bitstransfer': bits,
  'invoke-expression': invoke,
  'get-content': read,
  'get-childitem': list,
  'get-item': getItem,
  'resolve-path': getItem,
  'convert-path': getItem,
  'format-volume': disk({
    values: ['filesystem', 'newfilesystemlabel', 'partition'],
    switches: ['force', 'full'],
    positional: ['driveletter'],
  }),
  'clear-disk': disk({ switches: ['removedata', 'removeoem', 'force'], positional: ['number'] }),
  'initialize-disk': disk({ values: ['partitionstyle'], positional: ['number'] }),
  'remove-partition': disk({ values: ['disknumber', 'partitionnumber'], positional: ['driveletter'] }),
  'stop-computer': {
    spec: { values: ['computername'], switches: ['force'] },
    act: (_given, call, run) => act(run, call, 'shutdown', flags('-h', 'now')),
  },
  'restart-computer': { spec: { values: ['computername'], switches: ['force'] }, act: (_given, call, run) => act(run, call, 'reboot', []) },
  'stop-service': simple('systemctl', ['stop']),
  'new-localuser': simple('useradd', []),
  'remove-localuser': simple('userdel', []),
  'set-itemproperty': registry('add'),
  'new-itemproperty': registry('add'),
  'remove-itemproperty': registry('delete'),
  'expand-archive': expand,
  'compress-archive': compress,
  'start-process': startProcess,
  'invoke-command': block(true),
  'start-job': block(false),
  'start-threadjob': block(false),
  'measure-command': block(false),
  'join-path': values(
    (given) => ({ words: [joinPath([...given.words('path'), ...given.words('childpath'), ...given.rest].map(pathWord))] }),
    { values: ['additionalchildpath'], switches: ['resolve'], positional: ['path', 'childpath'] },
  ),
  'get-location': values((_given, _call, run) => (run.cwd === undefined ? unknown('Get-Location') : { words: [literal(run.cwd)] }), {}),
  'new-temporaryfile': values(
    (_given, _call, run) => ({ words: [concat(literal(`${run.look.tmp}/`), holeWord('tmp'))], mark: 'files' }),
    {},
  ),
  'new-object': values(
    (given) => ({
      words: [holeWord('object')],
      mark: 'object',
      type: (textOf(given.words('typename')[0]) ?? '').toLowerCase().replace(/^system\./, ''),
    }),
    { values: ['argumentlist', 'property', 'comobject'], positional: ['typename'] },
  ),
  'write-output': values((given, call, run) => echo([...given.words('inputobject'), ...given.rest], call, run), {
    switches: ['noenumerate'],
    positional: ['inputobject'],
  }),
  'write-host': values((given, call, run) => echo([...given.words('object'), ...given.rest], call, run), {
    values: ['foregroundcolor', 'backgroundcolor', 'separator'],
    switches: ['nonewline'],
    positional: ['object'],
  }),
  'out-null': values(() => NOTHING, { values: ['inputobject'] }),
  'write-error': values(() => NOTHING, { positional: ['message'] }),
  'write-verbose': values(() => NOTHING, { positional: ['message'] }),
  'start-sleep': values(
    (given, call, run) =>
      act(run, call, 'sleep', [...given.words('seconds'), ...(given.words('milliseconds').length > 0 ? [literal('1')] : [])]),
    { values: ['milliseconds'], positional: ['seconds'] },
  ),
};

/** Printed text. Only worth a command when it holds something unknown or goes to a file. */
function echo(words: readonly Word[], call: Call, run: Run): Val {
  const value: Val = { words };
  if (run.captured > 0 && call.redirects.length === 0) return value;
  return { ...act(run, call, 'echo', words), words };
}

/** Aliases of Windows PowerShell and PowerShell 7. */
export const ALIASES: Readonly<Record<string, string>> = {
  ri: 'remove-item',
  rm: 'remove-item',
  rmdir: 'remove-item',
  del: 'remove-item',
  erase: 'remove-item',
  rd: 'remove-item',
  clc: 'clear-content',
  sc: 'set-content',
  ac: 'add-content',
  tee: 'tee-object',
  epcsv: 'export-csv',
  mi: 'move-item',
  mv: 'move-item',
  move: 'move-item',
  cpi: 'copy-item',
  cp: 'copy-item',
  copy: 'copy-item',
  rni: 'rename-item',
  ren: 'rename-item',
  ni: 'new-item',
  spps: 'stop-process',
  kill: 'stop-process',
  gps: 'get-process',
  ps: 'get-process',
  iwr: 'invoke-webrequest',
  irm: 'invoke-restmethod',
  curl: 'invoke-webrequest',
  wget: 'invoke-webrequest',
  iex: 'invoke-expression',
  gc: 'get-content',
  cat: 'get-content',
  type: 'get-content',
  gci: 'get-childitem',
  ls: 'get-childitem',
  dir: 'get-childitem',
  gi: 'get-item',
  rvpa: 'resolve-path',
  saps: 'start-process',
  start: 'start-process',
  icm: 'invoke-command',
  sajb: 'start-job',
  sp: 'set-itemproperty',
  rp: 'remove-itemproperty',
  gl: 'get-location',
  pwd: 'get-location',
  echo: 'write-output',
  write: 'write-output',
  sleep: 'start-sleep',
  spsv: 'stop-service',
};
