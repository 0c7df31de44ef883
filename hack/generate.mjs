#!/usr/bin/env node
// Writes what is generated and committed. `--check` writes nothing and fails on drift.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeRulesIndex } from './rules-index.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const check = process.argv.includes('--check');
if (writeRulesIndex(root, { check }) && check) {
  console.error('rules/index.gen.ts is out of date; repair it with: npm run generate');
  process.exit(1);
}
