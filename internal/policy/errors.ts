/** A policy error as text. Pure. */
import type { PolicyError } from './policy.ts';

/**
 * The error as a person reads it:
 *
 *     waygate.yaml:7:3  unknown rule "git-forcepush"
 *         7 |   git-forcepush: { level: advise }
 *         did you mean "git-force-push"?
 *         The built-in rule stays at deny.
 */
export function renderError(error: PolicyError): string {
  const place = [error.file, error.line, error.column].filter((part) => part !== undefined).join(':');
  const lines = [`${place}  ${error.message}`];
  if (error.excerpt !== undefined && error.line !== undefined) lines.push(`${String(error.line).padStart(5)} | ${visible(error.excerpt)}`);
  if (error.nearest !== undefined) lines.push(`    did you mean "${error.nearest}"?`);
  lines.push(`    ${error.stays}`);
  return lines.join('\n');
}

/** A line of a file may hold anything: control characters are shown, long lines are cut. */
function visible(line: string): string {
  const plain = line.replace(/\t/g, '  ').replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain;
}
