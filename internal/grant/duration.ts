/** Durations as people type them. Pure. */
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3600_000, d: 86_400_000 };

/** No grant lives longer: 30 days. */
export const LONGEST_MS = 30 * 86_400_000;

/** `90m`, `2h`, `1d` in milliseconds; undefined for anything else, and for none or too long. */
export function durationOf(text: string): number | undefined {
  const match = /^(\d{1,6})(s|m|h|d)$/.exec(text.trim());
  if (!match) return undefined;
  const ms = Number(match[1]) * UNITS[match[2]!]!;
  return ms > 0 && ms <= LONGEST_MS ? ms : undefined;
}
