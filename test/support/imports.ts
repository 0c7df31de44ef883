/** What a source file imports and calls, read from its syntax tree: text in strings and comments is neither. */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export interface Read {
  /** Modules needed at run time; relative ones as paths from the root. Types cost nothing and bind nothing. */
  imports: readonly string[];
  /** Those of them that are loaded when they are reached (`await import(…)`). */
  lazy: readonly string[];
  /** `process.exit`, `Date.now`, `new Date()`: calls and accesses of what belongs to the machine. */
  touches: readonly string[];
  /** Every name: identifiers and property names, the texts of string literals left out. */
  names: ReadonlySet<string>;
}

/** What of `process` belongs to the machine; a variable of that name has other members. */
const OF_PROCESS = new Set(
  'abort argv chdir cwd env exit exitCode hrtime kill memoryUsage pid ppid stderr stdin stdout umask uptime'.split(' '),
);
const ROOT = path.resolve(import.meta.dirname, '../..');
const known = new Map<string, Read>();

/** @param file path from the root */
export function readSource(file: string): Read {
  const read = known.get(file) ?? readText(file, fs.readFileSync(path.join(ROOT, file), 'utf8'));
  known.set(file, read);
  return read;
}

/** The same for a text; `file` says where its relative imports start. */
export function readText(file: string, text: string): Read {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports: string[] = [];
  const lazy: string[] = [];
  const touches: string[] = [];
  const names = new Set<string>();
  const fromRoot = (name: string): string => (name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) imports.push(fromRoot(textOf(node.moduleSpecifier)));
    if (ts.isExportDeclaration(node) && !node.isTypeOnly && node.moduleSpecifier) imports.push(fromRoot(textOf(node.moduleSpecifier)));
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments;
      const loads = node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText(source) === 'require';
      if (loads && first && ts.isStringLiteralLike(first)) {
        imports.push(fromRoot(first.text));
        lazy.push(fromRoot(first.text));
      }
      if (node.expression.getText(source) === 'Date.now') touches.push('Date.now');
    }
    if (ts.isPropertyAccessExpression(node) && node.expression.getText(source) === 'process' && OF_PROCESS.has(node.name.text))
      touches.push(`process.${node.name.text}`);
    if (ts.isNewExpression(node) && node.expression.getText(source) === 'Date' && !node.arguments?.length) touches.push('new Date()');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { imports, lazy, touches, names };
}

const textOf = (node: ts.Expression): string => (ts.isStringLiteralLike(node) ? node.text : '');
