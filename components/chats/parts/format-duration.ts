/** 83_400 → "1:23"; an empty string when the duration is unknown. */
export function formatDuration(durationMs: number | null): string {
  if (durationMs === null) return "";
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
