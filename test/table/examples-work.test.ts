import { RULES } from '../../rules/index.gen.ts';
import { examplesOf } from './examples.ts';

examplesOf(RULES.filter((rule) => rule.group === 'work'));
