import {
  defineRule,
  type EffectOf,
  isOwnProgram,
  names,
  type Remedy,
  type UnknownVariable,
  unknownIn,
  unknownOwn,
  ways,
} from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'unknown-env',
  group: 'run',
  level: 'deny',
  summary: 'Set only variables that something reads.',
  why: `
    A variable with a wrong name is ignored without a word: the setting that was meant never applies, and the name spreads from one brief
    to the next.
  `,
  evidence:
    '462 commands in one day came from 33 briefs with a retired name, in the project this comes from (rules.md, unknown-env). Speaks only for waygate itself and for prefixes whose names the workspace lists. Would reopen it: refusals of variables that something did read.',
  on: 'line.environment',
  needs: ['profile', 'file'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: ['variables of other programs', 'a prefix whose names nothing lists', 'names that are read', 'scripts the repository tracks'],

  judge(effect, { facts, waygate }) {
    if (effect.remote || isOwnProgram(effect.script, facts)) return;
    const owned = facts.profile(effect.cwd)?.environment ?? [];
    const wrong = effect.names.flatMap((name) => unknownOwn(name) ?? unknownIn(owned, name) ?? []);
    const [first] = wrong;
    if (!first) return;
    const reads = first.name.startsWith('WAYGATE_') ? 'waygate' : 'this workspace';
    const hint = first.instead === undefined ? '' : ` What does it: ${first.instead}.`;
    return {
      says: `${names(wrong.map((each) => each.name))}: no variable that ${reads} reads, so it would be ignored.${hint}`,
      boundary: `environment ${wrong
        .map((each) => each.name)
        .sort()
        .join(' ')}`,
      remedies: ways(corrected(effect, first), {
        kind: 'run',
        run: `${waygate} describe variables`,
        because: 'shows the variables that are read',
      }),
    };
  },

  examples: {
    catches: [
      { run: 'WAYGATE_NO_WAIT=1 waygate runs', why: 'there is no such variable' },
      { run: 'export WAYGATE_QUIET=1; waygate runs' },
      { run: 'env WAYGATE_JSON=1 waygate log', why: 'an option does it' },
      {
        run: 'SHOP_DATABSE_URL=x npm test',
        given: [
          `printf '%s\\n' 'environment:' '  SHOP_: { names: [SHOP_DATABASE_URL, SHOP_PORT], retired: { SHOP_DB: SHOP_DATABASE_URL } }' > waygate.yaml`,
        ],
        why: 'the workspace lists its names',
      },
      {
        run: 'SHOP_DB=x npm test',
        given: [
          `printf '%s\\n' 'environment:' '  SHOP_: { names: [SHOP_DATABASE_URL, SHOP_PORT], retired: { SHOP_DB: SHOP_DATABASE_URL } }' > waygate.yaml`,
        ],
        why: 'read no longer',
      },
    ],
    allows: [
      { run: 'NODE_ENV=test npm test' },
      { run: 'echo "WAYGATE_OFFER=1"', why: 'a text' },
      {
        run: 'SHOP_PORT=1 npm test',
        given: [
          `printf '%s\\n' 'environment:' '  SHOP_: { names: [SHOP_DATABASE_URL, SHOP_PORT], retired: { SHOP_DB: SHOP_DATABASE_URL } }' > waygate.yaml`,
        ],
      },
      { run: 'SHOP_PROT=1 npm test', why: 'no list is declared' },
    ],
  },
});

/** The same line with the name that was meant, or without it. */
function corrected(effect: EffectOf<'line.environment'>, wrong: UnknownVariable): Remedy | undefined {
  const spot = effect.spots.find((each) => each.name === wrong.name);
  if (!spot) return undefined;
  if (wrong.near !== undefined)
    return {
      kind: 'run',
      run: spot.before + wrong.near + spot.word.slice(wrong.name.length) + spot.after,
      because: `\`${wrong.near}\` is read`,
    };
  // `export NAME=1` without its name would list every variable, `env -u NAME` would take the next word.
  const before = spot.before
    .replace(/(^|[\s;&|(])(?:export|declare\s+-x|typeset\s+-x|unset(?:\s+-v)?)\s+$/, '$1: ')
    .replace(/(?:-u\s*|--unset[=\s])$/, '');
  return { kind: 'run', run: (before + spot.after.replace(/^\s+/, '')).trim(), because: 'the same without it' };
}
