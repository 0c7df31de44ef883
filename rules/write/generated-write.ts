import {
  argument,
  defineRule,
  type Facts,
  type Finding,
  type GeneratedFact,
  isMaker,
  isOwnProgram,
  madeHow,
  makeLine,
  names,
  pathList,
  quote,
  type Remedy,
  touched,
  ways,
} from '../../internal/rule/rule.ts';

/** What gives a file other content. Deleting an output loses nothing: the next run makes it again. */
const EDITS: ReadonlySet<string> = new Set(['write', 'append', 'create', 'in-place', 'replace']);

interface Hand {
  path: string;
  fact: GeneratedFact;
  /** Weaker than a refusal. */
  level: 'advise' | 'notice' | undefined;
}

export default defineRule({
  name: 'generated-write',
  group: 'write',
  level: 'deny',
  summary: 'Change what a generated file is made from, not the file.',
  why: `
    The next run of the generator writes the file anew and the edit is gone, or the edit is committed and the source no longer makes
    what stands in the repository. The change belongs into the source; the command makes the file again.
  `,
  evidence:
    'The project this comes from had it as advice and made it a refusal after edits went on (ADR 0013, no count given). Only a declaration (waygate.yaml, a target) or linguist-generated with a known generator refuses; a header alone is a notice, because files keep headers of generators long gone. Would reopen it: refusals whose file no command makes any more.',
  on: ['file.write', 'file.move', 'file.copy', 'file.link', 'net.fetch'],
  needs: ['generated', 'profile', 'file', 'show'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'files no declaration, attribute or header calls generated',
    'the generator itself, typed as declared or in a script the repository tracks',
    'outputs that git ignores: nobody commits them',
    'deleting an output or restoring it with git',
  ],

  judge(effect, { facts, tools, waygate }): Finding | undefined {
    if (effect.remote || effect.by === 'git' || effect.by === 'touch' || isOwnProgram(effect.script, facts)) return;
    const hands = touched(effect, facts).flatMap(({ target, how }): Hand[] => {
      const path = target.path;
      const fact = path === undefined || !EDITS.has(how) ? undefined : facts.generated(path);
      if (path === undefined || fact?.is !== 'output' || fact.ignored || isMaker(effect, recipesOf(fact, facts))) return [];
      return [{ path, fact, level: levelOf(fact, target.glob === true || facts.file(path).kind !== 'absent') }];
    });
    const first = hands.find((hand) => hand.level === undefined) ?? hands[0];
    if (!first) return;
    const { path, fact, level } = first;
    const shown = hands.map((each) => facts.show(each.path));
    const [source] = fact.others;
    const file = source !== undefined && facts.file(source).kind === 'file' ? source : undefined;
    const line = makeLine(fact, facts.show);
    const from = fact.others.length > 0 ? names(fact.others.map(facts.show)) : 'what it is made from';
    const read: Remedy | undefined =
      file !== undefined && tools.read
        ? {
            kind: 'call',
            tool: tools.read,
            input: { file_path: file },
            because: `the change belongs there${line === undefined ? '' : `; then \`${line}\` makes ${facts.show(path)} again`}`,
          }
        : undefined;
    const make: Remedy | undefined =
      line === undefined
        ? undefined
        : {
            kind: 'run',
            run: line,
            because: `${fact.by === 'declaration' ? 'makes it again' : 'the only target here that generates'}: change ${from} first`,
          };
    return {
      says: `${names(shown)} ${hands.length > 1 ? 'are' : 'is'} ${fact.by === 'header' ? 'by its own header ' : ''}${madeHow(fact, facts.show)}: the next run overwrites an edit by hand.`,
      ...(level === undefined ? {} : { level }),
      boundary: `file.generated ${pathList(hands.map((each) => each.path))}`,
      remedies: ways(read, make, {
        kind: 'run',
        run: `${waygate} describe file ${quote(argument(path, facts.show))}`,
        because: 'shows what it is made from and how',
      }),
    };
  },

  examples: {
    catches: [
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/docs/reference/app.md', old_string: 'app', new_string: 'main' },
        given: [
          "echo 'cat src/app.ts > docs/reference/app.md' > docs.sh && mkdir -p docs/reference && sh docs.sh",
          `printf '%s\\n' 'generated:' '  - { files: "docs/reference/**", by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          'git add . && git commit -qm docs',
        ],
      },
      {
        run: 'echo "more" >> docs/reference/app.md',
        given: [
          "echo 'cat src/app.ts > docs/reference/app.md' > docs.sh && mkdir -p docs/reference && sh docs.sh",
          `printf '%s\\n' 'generated:' '  - { files: "docs/reference/**", by: sh docs.sh, from: "src/*.ts" }' > waygate.yaml`,
          'git add . && git commit -qm docs',
        ],
        why: 'the shell is no way around',
      },
      {
        run: 'cp README.md docs/reference/app.md',
        given: [
          "mkdir -p docs/reference && echo '# app' > docs/reference/app.md",
          `printf '%s\\n' 'generated:' '  - { files: docs/reference/app.md, from: src/app.ts }' > waygate.yaml`,
          'git add . && git commit -qm docs',
        ],
        why: 'no command is declared: the source is named',
      },
      {
        tool: 'Write',
        input: { file_path: '{{repo}}/src/api.gen.ts', content: 'export const api = 2;\n' },
        given: [
          "printf '%s\\n' '// Code generated by apigen. DO NOT EDIT.' 'export const api = 1;' > src/api.gen.ts",
          'git add . && git commit -qm api',
        ],
        gets: 'notice',
        why: 'only its header says so',
      },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/src/client.ts', old_string: '1', new_string: '2' },
        given: [
          "echo 'export const client = 1;' > src/client.ts && echo 'src/client.ts linguist-generated' > .gitattributes",
          'git add . && git commit -qm client',
        ],
        gets: 'advise',
        why: 'the repository says so, and no command is known that makes it',
      },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/src/client.ts', old_string: '1', new_string: '2' },
        given: [
          `echo '{"name":"repo","scripts":{"generate":"node gen.js"}}' > package.json && echo 'console.log(1)' > gen.js`,
          "echo 'export const client = 1;' > src/client.ts && echo 'src/client.ts linguist-generated' > .gitattributes",
          'git add . && git commit -qm client',
        ],
        why: 'the repository says so, and one target generates',
      },
    ],
    allows: [
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/src/app.ts', old_string: '1', new_string: '2' },
        given: [
          "echo 'cat src/app.ts > docs/reference/app.md' > docs.sh && mkdir -p docs/reference && sh docs.sh",
          `printf '%s\\n' 'generated:' '  - { files: "docs/reference/**", by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          'git add . && git commit -qm docs',
        ],
        why: 'the source',
      },
      {
        run: 'sh docs.sh',
        given: [
          "echo 'cat src/app.ts > docs/reference/app.md' > docs.sh && mkdir -p docs/reference && sh docs.sh",
          `printf '%s\\n' 'generated:' '  - { files: "docs/reference/**", by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          'git add . && git commit -qm docs',
        ],
        why: 'the generator itself',
      },
      {
        tool: 'Write',
        input: { file_path: '{{repo}}/docs/guide.md', content: '# guide\n' },
        given: [`printf '%s\\n' 'generated:' '  - { files: "docs/reference/**", by: sh docs.sh }' > waygate.yaml`],
        why: 'beside the generated folder',
      },
      { run: 'echo 1 > src/plain.ts' },
      {
        run: 'cat src/app.ts > docs/app.md',
        given: [
          `echo '{"name":"repo","scripts":{"docs":"cat src/app.ts > docs/app.md"}}' > package.json`,
          `printf '%s\\n' 'generated:' '  - { files: docs/app.md, by: npm run docs, from: src/app.ts }' > waygate.yaml`,
          'mkdir docs && echo 1 > docs/app.md && git add . && git commit -qm docs',
        ],
        why: 'what the target runs',
      },
      {
        run: 'rm docs/reference/app.md',
        given: [
          "mkdir -p docs/reference && echo '# app' > docs/reference/app.md",
          `printf '%s\\n' 'generated:' '  - { files: "docs/reference/**", by: sh docs.sh }' > waygate.yaml`,
          'git add . && git commit -qm docs',
        ],
        why: 'the next run makes it again',
      },
    ],
  },
});

/** How sure it is: a declaration refuses, an attribute only where the generator is known, a header never. */
function levelOf(fact: GeneratedFact, there: boolean): 'advise' | 'notice' | undefined {
  if (fact.by === 'header') return 'notice';
  if (fact.by === 'attribute') return fact.command === undefined ? 'advise' : undefined;
  // A new file that a pattern meets is no output yet.
  return there || fact.exact ? undefined : 'notice';
}

/** The command, and where it calls a target what that runs. */
function recipesOf(fact: GeneratedFact, facts: Pick<Facts, 'profile'>): readonly string[] {
  if (fact.command === undefined) return [];
  const targets = facts.profile(fact.dir)?.runners.flatMap((runner) => runner.targets) ?? [];
  return [fact.command, ...targets.flatMap((target) => (target.command === fact.command ? target.recipe : []))];
}
