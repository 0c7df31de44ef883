/** What `waygate init` writes into a new waygate.yaml of what it detected. Pure: text from a profile. */
import type { Profile, Runner } from './profile.ts';

/** Targets that the file shows: enough to see what one looks like. */
const MAX_SHOWN = 12;

/** The runner that a workspace's own file would name: that of the proposed gate, else the first at the top. */
export function mainRunner(profile: Profile): Runner | undefined {
  const here = profile.runners.filter((runner) => runner.dir === profile.root);
  return here.find((runner) => runner.targets.some((target) => target.gate)) ?? here[0];
}

/**
 * The lines about the runner and the gate. Detection goes on without them, so the runner stands in comments; the gate does as well
 * unless it is to be declared.
 */
export function proposedLines(profile: Profile | undefined, declareGate: boolean): readonly string[] {
  const runner = profile && mainRunner(profile);
  if (!profile || !runner)
    return ['', '# The command that has to pass before a push. Without it the push rules keep quiet.', '# gate: { command: make check }'];
  const shown = runner.targets.filter((target) => target.covers.length > 0 || target.gate).slice(0, MAX_SHOWN);
  const others = profile.runners.filter((each) => each !== runner).map((each) => each.name);
  const gate = profile.proposedGate;
  return [
    '',
    `# Detected${others.length > 0 ? `, beside ${others.join(', ')}` : ''}; all of it: waygate describe targets. Only what is wrong needs to be declared.`,
    '# runner:',
    `#   command: ${yamlText(runner.call)}`,
    ...(shown.length > 0 ? ['#   targets:'] : []),
    ...shown.map((target) => {
      const covers = target.covers.map((cover) => [cover.program, ...cover.argv].filter(Boolean).join(' '));
      const parts = [
        ...(covers.length > 0 ? [`covers: [${covers.map(yamlText).join(', ')}]`] : []),
        ...(target.gate ? ['gate: true'] : []),
      ];
      return `#     ${yamlText(target.name)}: { ${parts.join(', ')} }`;
    }),
    '',
    ...(gate === undefined
      ? [
          '# The command that has to pass before a push. Without it the push rules keep quiet; nothing here looks like one.',
          '# gate: { command: make check }',
        ]
      : declareGate
        ? ['# The command that has to pass before a push.', `gate: { command: ${yamlText(gate)} }`]
        : [
            '# This looks like the command that has to pass before a push. Until it is declared the push rules keep quiet.',
            `# gate: { command: ${yamlText(gate)} }`,
          ]),
  ];
}

/** A text as YAML reads it back, also inside of brackets. */
export const yamlText = (text: string): string =>
  /^[A-Za-z_./][\w./@+=-]*(?: [\w./@+=:-]*[\w./@+=-])*$/.test(text) &&
  !/^(true|false|null|yes|no|on|off)$/i.test(text) &&
  !/: | #/.test(text)
    ? text
    : JSON.stringify(text);
