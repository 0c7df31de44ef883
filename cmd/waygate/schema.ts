/** `waygate schema`: the JSON schema of waygate.yaml, for editors. */
import { policySchema } from '../../internal/policy/schema.ts';
import { RULES } from '../../rules/index.gen.ts';
import { say } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

/** The schema as it is committed: pretty, one line end. */
export const schemaText = (): string => `${JSON.stringify(policySchema(RULES), undefined, 2)}\n`;

export const define: VerbModule['define'] = (command) => {
  command.action(() => say(schemaText().trimEnd()));
  examples(command, [['waygate schema > waygate.schema.json', 'for an editor that reads JSON schemas']]);
};
