import type { HomeFigures } from "@/lib/runtime/dashboard/get-home";

/** "820 ms", "3.2 s", "4.5 min" or "2.1 h"; "none" without a value. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return "none";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${trim(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 60 ? `${trim(minutes)} min` : `${trim(minutes / 60)} h`;
}

/** "98.4%"; "none" without a value. */
export function formatShare(share: number | null): string {
  return share === null ? "none" : `${trim(share * 100)}%`;
}

/**
 * The share of sent messages that were delivered, at most 1; null without messages. A receipt counts in the period in
 * which it arrives, so a period may have more receipts than messages.
 */
export function deliveryRate({ sent, failed, delivered }: HomeFigures): number | null {
  const all = Math.max(sent + failed, delivered);
  return all === 0 ? null : delivered / all;
}

function trim(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 });
}
