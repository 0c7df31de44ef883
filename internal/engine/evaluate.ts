/** Evaluate: effects and facts against the table of rules. Pure: no file, clock, process or environment. */
import type { Effect } from '../effect/effect.ts';
import type { Facts } from '../fact/facts.ts';
import type { AnyRule, Asked, Finding, Level, NoticeFinding, Options } from '../rule/rule.ts';

/** What is in force for a rule. */
export interface InForce {
  level: Level;
  options: Options;
}

/** A finding with the rule that made it and the level it has here. */
export interface Spoken {
  rule: AnyRule;
  finding: Finding | NoticeFinding;
  verdict: 'notice' | 'advise' | 'deny';
  effect: Effect;
  /** The rule itself broke: its text says so. */
  fault?: string;
}

export interface Evaluation {
  spoken: readonly Spoken[];
  /** Rules that threw, with the message: never an allow for what cannot be undone. */
  faults: readonly { rule: string; group: AnyRule['group']; level: Level; error: string }[];
}

const RANK = { notice: 1, advise: 2, deny: 3 } as const;

/** The level of one finding: the rule's, unless the finding asks for a weaker one. A notice never rises. */
function verdictOf(level: Level, finding: Finding | NoticeFinding): Spoken['verdict'] | undefined {
  if (level === 'off') return undefined;
  const asked = 'level' in finding ? finding.level : undefined;
  return asked && RANK[asked] < RANK[level] ? asked : level;
}

/**
 * Runs each rule on each effect it is for.
 * Effects are folded left to right: a rule sees the facts as they will be after the earlier effects of the line.
 */
export function evaluate(
  effects: readonly Effect[],
  facts: Facts,
  rules: ReadonlyMap<string, readonly AnyRule[]>,
  inForce: (rule: AnyRule) => InForce,
  asking: Asking,
): Evaluation {
  const spoken: Spoken[] = [];
  const faults: Evaluation['faults'][number][] = [];
  // One list that grows, never a copy for each effect: a line of 50,000 commands must stay linear.
  const earlier: Effect[] = [];
  effects.forEach((effect, index) => {
    if (index > 0) earlier.push(effects[index - 1]!);
    const concerned = rules.get(effect.kind);
    if (!concerned) return;
    let view: Facts | undefined;
    for (const rule of concerned) {
      const { level, options } = inForce(rule);
      if (level === 'off') continue;
      view ??= index === 0 && effect.absent === undefined ? facts : facts.after(earlier, effect, effects);
      try {
        const finding = rule.judge(effect, filled(view, options, effects, asking));
        if (!finding) continue;
        const verdict = verdictOf(level, finding);
        if (verdict) spoken.push({ rule, finding, verdict, effect });
      } catch (error) {
        faults.push({ rule: rule.name, group: rule.group, level, error: error instanceof Error ? error.message : String(error) });
      }
    }
  });
  return { spoken, faults };
}

/** Who asks. `guard.waygate` is read by rules that name it only: answering takes a look along PATH. */
export interface Asking {
  guard: { readonly waygate: string };
  tools: Asked['tools'];
}

/**
 * What all rules are asked with, filled anew for each: a rule reads it while it judges and keeps nothing of it. An object with a
 * getter of its own for each question would cost more than most rules do.
 */
const ASKED: Asked & { asking: Asking | undefined } = {
  facts: undefined as never,
  options: {},
  effects: [],
  tools: {},
  asking: undefined,
  get waygate(): string {
    return this.asking!.guard.waygate;
  },
};

function filled(facts: Facts, options: Options, effects: readonly Effect[], asking: Asking): Asked {
  ASKED.facts = facts;
  ASKED.options = options;
  ASKED.effects = effects;
  ASKED.tools = asking.tools;
  ASKED.asking = asking;
  return ASKED;
}

/** The table by effect kind, so that a call only meets the rules that concern it. */
export function indexRules(rules: readonly AnyRule[]): ReadonlyMap<string, readonly AnyRule[]> {
  const index = new Map<string, AnyRule[]>();
  for (const rule of rules) {
    for (const kind of typeof rule.on === 'string' ? [rule.on] : rule.on) {
      const list = index.get(kind);
      if (list) list.push(rule);
      else index.set(kind, [rule]);
    }
  }
  return index;
}
