/** What each preset refused in calls that agents really made: measured figures, bundled at build time from docs/reference/real-calls.json. */

declare const WAYGATE_REAL_CALLS: { calls: number; presets: Partial<Record<'strict' | 'safety', { denied: number }>> } | null;

/** One line, or undefined when nothing was measured. */
export function realCallsLine(): string | undefined {
  const figures = WAYGATE_REAL_CALLS;
  const strict = figures?.presets.strict?.denied;
  const safety = figures?.presets.safety?.denied;
  if (!figures || strict === undefined || safety === undefined) return undefined;
  const share = (denied: number): string => `${denied} (${((100 * denied) / figures.calls).toFixed(1)} %)`;
  return `of ${figures.calls} calls that agents really made, strict refused ${share(strict)} and safety ${share(safety)}`;
}
