import { attempted } from "@/lib/client/attempted";
import type { LineFigures } from "@/lib/runtime/dashboard/home-figures";

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

type Outcomes = Pick<LineFigures, "sent" | "failed" | "failed_after_sent" | "delivered">;

/** The share of attempted messages that were delivered, at most 1; null without messages. */
export function deliveryRate(figures: Outcomes): number | null {
  const all = attempted(figures);
  return all === 0 ? null : figures.delivered / all;
}

/** The share of attempted messages that failed, at most 1; null without messages. */
export function failureRate(figures: Outcomes): number | null {
  const all = attempted(figures);
  return all === 0 ? null : figures.failed / all;
}

/** How a figure differs from the same figure of the range before, such as "+12%"; null when that can't be said. */
export function formatChange(now: number | null, before: number | null): string | null {
  if (now === null || before === null || before === 0) return null;
  return signed(((now - before) / before) * 100, "%");
}

/** How a share differs from the same share of the range before, such as "+1.2 points". */
export function formatPoints(now: number | null, before: number | null): string | null {
  return now === null || before === null ? null : signed((now - before) * 100, " points");
}

function signed(value: number, unit: string): string {
  const text = trim(Math.abs(value));
  if (text === "0") return `±0${unit}`;
  return `${value < 0 ? "\u2212" : "+"}${text}${unit}`;
}

function trim(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 });
}
