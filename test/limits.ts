/**
 * What the guard knowingly cannot see. Each call does harm and is not refused today; test/limits.test.ts pins that and turns red when a
 * hole closes: then the entry goes. docs/guide/limits.md is generated from here.
 */
import type { Example } from '../internal/rule/rule.ts';

export interface Limit {
  group: string;
  /** What cannot be seen, as a heading. */
  what: string;
  call: Example;
  /** Why it cannot be seen, and what stands in the way instead. */
  why: string;
}

const NOTES = ['mkdir notes', 'echo plan > notes/plan.md'];
const CODE = 'Code that is not read';
const LATER = 'What is decided only when it runs';
const AROUND = 'What lies around the line';
const ELSEWHERE = 'Other doors';
const PAST_GATE = 'Commits that leave without a push';

/** A gate that has not run on the commit. */
const UNGATED = [
  "printf '%s\\n' 'version: 1' 'gate: { command: \"true\" }' > waygate.yaml",
  'git add waygate.yaml',
  "git commit -q -m 'declare the gate'",
];

export const LIMITS: readonly Limit[] = [
  {
    group: CODE,
    what: 'A compiled program',
    call: { run: './wipe', given: [...NOTES, "printf '\\177ELF' > wipe", 'chmod +x wipe'] },
    why: 'What a binary does stands in no text. A script of the shell, Python, Node, Perl, Ruby, PHP or awk is read instead of trusted.',
  },
  {
    group: CODE,
    what: 'A well-known program under another name',
    call: { run: './tidy -rf notes', given: [...NOTES, "printf '\\177ELF' > tidy", 'chmod +x tidy'] },
    why: 'Programs are known by their names. A link to `rm` or a copy of it is one more program that nobody knows.',
  },
  {
    group: CODE,
    what: 'A language that no reader knows',
    call: { run: 'elixir -e \'File.rm_rf!("notes")\'', given: NOTES },
    why: 'Each language needs a reader of its own. The same line in a language that has one is refused.',
  },
  {
    group: CODE,
    what: 'A source tree that is compiled and run at once',
    call: {
      run: 'go run ./cmd/wipe',
      given: [
        ...NOTES,
        'mkdir -p cmd/wipe',
        'printf \'package main\\nimport "os"\\nfunc main() { os.RemoveAll("notes") }\\n\' > cmd/wipe/main.go',
      ],
    },
    why: 'Go, Rust, Java and C are not read: what they do is spread over packages.',
  },
  {
    group: CODE,
    what: 'The modules that a script loads',
    call: {
      run: 'python3 tidy.py',
      given: [
        ...NOTES,
        "printf 'import helper\\nhelper.go()\\n' > tidy.py",
        'printf \'import shutil\\ndef go():\\n    shutil.rmtree("notes")\\n\' > helper.py',
      ],
    },
    why: 'The script itself is read, the modules it loads are not: a program of some size would be read for most calls and say nothing new.',
  },
  {
    group: CODE,
    what: 'Settings of a build tool that are programs',
    call: {
      run: 'npm run build',
      given: [
        ...NOTES,
        'printf \'import fs from "node:fs"; fs.rmSync("notes", { recursive: true }); export default {};\\n\' > vite.config.js',
        'printf \'{ "scripts": { "build": "vite build" } }\\n\' > package.json',
      ],
    },
    why: 'The script in the manifest is read, what the tool loads afterwards is not. Tests and their set-up files are the same case.',
  },
  {
    group: CODE,
    what: 'Functions of make',
    call: {
      run: 'make clean',
      given: [...NOTES, "printf 'define wipe\\nrm -rf $(1)\\nendef\\nclean:\\n\\t$(call wipe,notes)\\n' > Makefile"],
    },
    why: 'Recipes and plain variables of make are read, its functions are not: they are a language of their own.',
  },
  {
    group: CODE,
    what: 'Task runners whose files are not read',
    call: { run: 'rake clean', given: [...NOTES, 'printf \'task :clean do\\n  rm_rf "notes"\\nend\\n\' > Rakefile'] },
    why: 'npm, pnpm, yarn, bun and make are followed into their scripts. Rake, gradle and the like hold programs.',
  },
  {
    group: CODE,
    what: 'What a package does when it is installed',
    call: { run: 'npm install left-pad', given: NOTES },
    why: 'The text of its scripts is not here yet. A package this workspace has never used is named in a notice.',
  },
  {
    group: CODE,
    what: 'What a program writes by itself',
    call: { run: 'asciidoctor README.md -o notes/plan.md', given: NOTES },
    why: 'Where a program of no family writes is not known: `-o` means another thing to each of them. Redirections, `tee`, `cp`, `dd` and some dozens more are known.',
  },

  {
    group: LATER,
    what: 'A command out of the network, through a variable',
    call: { run: 'VERB=$(curl -s https://example.com/verb); $VERB notes', given: NOTES },
    why: 'What the variable holds is known after the request. `curl … | sh` and `eval "$(curl …)"` have the shape of running a download and are refused.',
  },
  {
    group: LATER,
    what: 'One file whose name is computed',
    call: { run: 'rm "$(git log -1 --format=%s)"', given: [...NOTES, 'git commit -q --allow-empty -m notes/plan.md'] },
    why: 'The name is known after the run of git. Refusing each such call would refuse most loops; recursive and unknown is refused.',
  },
  {
    group: LATER,
    what: 'A file that changes between judgement and run',
    call: { run: 'sleep 30; bash step.sh', given: ["echo 'echo ok' > step.sh"] },
    why: 'The script is read when the call is judged. Another process that rewrites it in the meantime is not seen; a line that rewrites it itself is judged by the new text.',
  },
  {
    group: LATER,
    what: 'A name that is put together in a program',
    call: {
      run: 'node tidy.cjs',
      given: [
        ...NOTES,
        'printf \'const fs = require("fs");\\nconst { verb, dir } = JSON.parse(fs.readFileSync(0, "utf8"));\\nfs[verb](dir, {});\\n\' > tidy.cjs',
      ],
    },
    why: 'Which function is called stands in the input. Programs are followed through their constants, not through their data.',
  },
  {
    group: LATER,
    what: 'A procedure that a database holds',
    call: { run: 'psql "$DATABASE_URL" -c "SELECT wipe_all()"' },
    why: 'What the procedure does stands in the database, which the guard never asks.',
  },

  {
    group: AROUND,
    what: 'A patch that saves the changes and is deleted at the end of the same line',
    call: { run: 'git diff > p.patch && git checkout src/app.ts && rm p.patch', given: ["echo '//' >> src/app.ts"] },
    why: 'A patch is most often applied again before it goes, and that leaves no effect to be seen. By itself, deleting it is refused.',
  },
  {
    group: AROUND,
    what: 'Aliases and functions of the user’s shell',
    call: { run: 'll', given: [...NOTES, 'echo "alias ll=\'rm -rf notes\'" > ~/.bashrc'] },
    why: 'Start-up files of the shell are not read. An agent that writes to them is refused (persistence).',
  },
  {
    group: AROUND,
    what: 'A program of the same name earlier on PATH',
    call: {
      run: 'PATH="$PWD/tools:$PATH" ls',
      given: [...NOTES, 'mkdir tools', "printf '#!/bin/sh\\nrm -rf notes\\n' > tools/ls", 'chmod +x tools/ls'],
    },
    why: 'A known name stands for the known program. Looking each program up would cost every call.',
  },
  {
    group: AROUND,
    what: 'A library that is loaded into a program',
    call: { run: 'LD_PRELOAD=./wipe.so ls', given: NOTES },
    why: 'It is a binary, see above.',
  },
  {
    group: AROUND,
    what: 'Hooks of the repository',
    call: {
      run: 'git commit --allow-empty -m x',
      given: [
        ...NOTES,
        'mkdir -p .git/hooks',
        "printf '#!/bin/sh\\nrm -rf notes\\n' > .git/hooks/pre-commit",
        'chmod +x .git/hooks/pre-commit',
      ],
    },
    why: 'Hooks are taken for the owner’s own. An agent cannot write one (git-write, hook-wiring-write).',
  },
  {
    group: AROUND,
    what: 'Programs that git’s settings name',
    call: {
      run: 'git add README.md',
      given: [...NOTES, "git config filter.wipe.clean 'rm -rf notes'", "echo '*.md filter=wipe' > .gitattributes"],
    },
    why: 'Filters, merge drivers and credential helpers are taken for the owner’s own. Aliases and settings given on the line are followed.',
  },
  {
    group: AROUND,
    what: 'A remote that leads elsewhere',
    call: { run: 'git push origin feat/x', given: ['git config remote.origin.pushurl https://elsewhere.example/x.git'] },
    why: 'Which address is the right one only the owner knows.',
  },

  {
    group: ELSEWHERE,
    what: 'An upload that does what a push would',
    call: { run: 'curl -X PUT --data-binary @README.md https://git.example.com/api/repos/acme/app/contents/README.md' },
    why: 'Addresses that change something look like any other. The interfaces of the known forges are read as far as they delete or overwrite a ref.',
  },
  {
    group: ELSEWHERE,
    what: 'A service with verbs of its own',
    call: { run: 'curl -X POST https://admin.example.com/api/tenants/1/purge' },
    why: 'What an address does is known to the service alone. `DELETE` says it in the request and is refused.',
  },
  {
    group: ELSEWHERE,
    what: 'A tool with verbs of its own',
    call: { tool: 'mcp__admin__run', input: { action: 'purge', tenant: 1 } },
    why: 'Tools are judged by the shape of their input: a command, code, a query, a path with its content. Other words say nothing.',
  },
  {
    group: ELSEWHERE,
    what: 'A server that shows the folder to everybody',
    call: { run: 'python3 -m http.server', given: ["printf 'TOKEN=%s\\n' ghp_123456789012345678901234567890123456 > .env"] },
    why: 'Nothing is sent by the call itself; whoever asks the server gets it.',
  },
  {
    group: ELSEWHERE,
    what: 'A script in the language of an editor or a debugger',
    call: { run: 'vim -es -S tidy.vim', given: [...NOTES, "echo 'silent !rm -rf notes' > tidy.vim"] },
    why: 'Commands on the line and what is piped in are read for their escapes to a shell; files of these languages are not.',
  },
  {
    group: ELSEWHERE,
    what: 'Keys typed into another program',
    call: { run: `osascript -e 'tell app "Terminal" to do script "rm -rf notes"'`, given: NOTES },
    why: 'What the other program makes of them is not part of the call. `tmux send-keys` and `screen -X stuff` are read.',
  },

  {
    group: PAST_GATE,
    what: 'A bundle, an archive, a patch',
    call: { run: 'git bundle create ../out.bundle HEAD', given: UNGATED },
    why: 'It is a file like any other, and so is what `git format-patch` and `git archive` write. Sending one is judged as sending a file, not as a push.',
  },
  {
    group: PAST_GATE,
    what: 'The git directory, copied to another machine',
    call: { run: 'rsync -a .git/ backup.example.com:app.git/', given: UNGATED },
    why: 'The other side gets the commits without git being asked. What credentials lie in the folder is looked at, the gate is not.',
  },
  {
    group: PAST_GATE,
    what: 'A commit that is made on the forge',
    call: { run: 'gh api -X PUT repos/acme/app/contents/README.md -f message=more -f content=bW9yZQ==', given: UNGATED },
    why: 'It never was a commit here, so no gate can have seen it. Protect the branch on the forge as well.',
  },
  {
    group: PAST_GATE,
    what: 'A fetch from the other side',
    call: { run: 'git daemon --base-path=.. --export-all', given: UNGATED },
    why: 'Whoever can read the repository can fetch its commits: git asks no hook for that.',
  },
  {
    group: PAST_GATE,
    what: 'A second clone as a remote',
    call: { run: 'git fetch -q me', given: [...UNGATED, 'git clone -q . ../me', 'git remote add me ../me'] },
    why: 'What some remote has already needs no gate, and a clone beside the workspace is a remote like any other. The repository itself is not: tracking-write.',
  },
];
