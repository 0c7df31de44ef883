import { describe, expect, it } from 'vitest';
import { isKnownPackage } from './known-packages.ts';

describe('packages that everybody knows', () => {
  it.each([
    ['npm', 'typescript'],
    ['npm', '@types/node'],
    ['npm', '@modelcontextprotocol/inspector'],
    ['npm', 'create-vite'],
    ['pip', 'pytest'],
    ['pip', 'Pre_Commit'],
    ['cargo', 'serde-json'],
    ['gem', 'rails'],
    ['composer', 'laravel/framework'],
    ['go', 'golang.org/x/tools/cmd/goimports'],
    ['nuget', 'Microsoft.EntityFrameworkCore'],
  ])('%s %s', (manager, name) => expect(isKnownPackage(manager, name)).toBe(true));

  it.each([
    ['npm', 'react-codeshift-helper-utils'],
    ['npm', 'typscript'],
    ['npm', '@typescript/node'],
    ['npm', '@types-node/x'],
    ['pip', 'requets'],
    ['pip', 'typescript'],
    ['composer', 'laravelx/framework'],
    ['go', 'github.com/somebody/cobra'],
    ['hex', 'phoenix'],
  ])('not %s %s', (manager, name) => expect(isKnownPackage(manager, name)).toBe(false));
});
