/**
 * Could a line of plain words hold a credential at all? A short look for the start of the hook, where compiling one long expression
 * would cost more than all the rest: the reading of credentials (redact.ts) is a large module. The test beside holds the two together.
 */

/** In lower case: what stands in names of credentials, before their values, and at the beginning of tokens. */
const HINTS =
  'key token secret pass pwd credential pat dsn url uri auth cookie session sig bearer basic digest negotiate private user -u @ akia asia gho_ ghp_ ghu_ ghs_ ghr_ glpat- sk- sk_ rk_ pk_ xox xapp- aiza ya29. pypi- npm_ hf_ dop_ sg. lin_ sbp_ hvs. glsa_ whsec_ atatt3 eyj';

/** False only for a text that `redact` leaves as it is. */
export function mayHoldCredential(text: string): boolean {
  const lower = text.toLowerCase();
  const hints = HINTS.split(' ');
  for (let i = 0; i < hints.length; i++) if (lower.includes(hints[i]!)) return true;
  return false;
}
