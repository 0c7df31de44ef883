import { defineRule, runsHere, ways } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'throwaway-copy',
  group: 'run',
  level: 'deny',
  summary: 'Run checks in the workspace, not in a copy of it.',
  why: `
    A green check in a copy leaves the real tree unchecked: the copy lacks what was ignored or changed since, and reports, caches and
    outputs stay in it. What is meant to be tried without risk is safe behind a checkpoint.
  `,
  evidence:
    'The project this comes from refuses it (ADR 0013, no count given). A copy is told by its name or its history, and only among temporary files or when the line makes it. Would reopen it: temporary projects that are taken for a copy.',
  on: 'run.target',
  needs: ['checkout', 'profile', 'file', 'show'],
  category: 'stale-target',
  persistence: 'narrower-scope',
  quiet: [
    'work trees that git knows: sibling-checkout',
    'temporary projects of another name',
    'a session or a call that starts there',
    'help, listings and dry runs',
  ],

  judge(effect, { facts, effects, waygate }) {
    if (effect.remote || effect.call.looks) return;
    const checkout = facts.checkout(effect.call.dir);
    if (checkout?.is !== 'copy') return;
    const line = runsHere(effects, 'copy', facts);
    return {
      says: `\`${effect.source}\` would run in \`${facts.show(checkout.top ?? effect.call.dir ?? '')}\`, a copy of this workspace: the tree here stays unchecked.`,
      boundary: `run.copy ${checkout.own}`,
      remedies: ways(line === undefined ? undefined : { kind: 'run', run: line, because: 'the same on the tree that counts' }, {
        kind: 'run',
        run: `${waygate} describe targets`,
        because: 'shows what can be run here',
      }),
    };
  },

  examples: {
    catches: [
      { run: 'cp -r . {{tmp}}/x && cd {{tmp}}/x && npm test' },
      { run: 'D={{tmp}}/x; rsync -a ./ "$D/" && cd "$D" && npm run lint', why: 'through a variable' },
      { run: 'mkdir {{tmp}}/x; git archive HEAD | tar -x -C {{tmp}}/x; cd {{tmp}}/x && npm test' },
      { run: 'cd {{tmp}}/x && npm test', given: ['git clone -q . "$TMPDIR/x"'], why: 'it is there from before' },
      { run: 'npm --prefix {{tmp}}/y test', given: ['mkdir "$TMPDIR/y" && cp package.json "$TMPDIR/y/"'], why: 'by its name' },
    ],
    allows: [
      { run: 'npm test' },
      { run: 'cd {{tmp}}/demo && npm test', given: [`mkdir "$TMPDIR/demo" && echo '{"name":"demo"}' > "$TMPDIR/demo/package.json"`] },
      { run: 'cp -r src {{tmp}}/src && ls {{tmp}}/src', why: 'nothing runs' },
      { run: 'cp -r . {{tmp}}/x && ls {{tmp}}/x' },
      { run: 'cd "$(mktemp -d)" && npm init -y' },
    ],
  },
});
