/** 340 → "340 ms", 2_100 → "2.1 s", 243_000 → "4 min 3 s", 7_500_000 → "2 hr 5 min". */
export function formatElapsed(elapsedMs: number): string {
  if (elapsedMs < 1000) return `${Math.round(elapsedMs)} ms`;
  if (elapsedMs < 60_000) return `${(Math.floor(elapsedMs / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(elapsedMs / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} hr ${minutes % 60} min`;
}
