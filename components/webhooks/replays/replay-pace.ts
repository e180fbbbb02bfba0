import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

/** The progress of a replay at a point in time. */
export interface PaceSample {
  atMs: number;
  ended: number;
}

const WINDOW_MS = 15_000;

export function endedOf({ delivered, failed, skipped }: WebhookReplay): number {
  return delivered + failed + skipped;
}

/** The samples of the last seconds, including the new one. */
export function addSample(samples: readonly PaceSample[], sample: PaceSample): PaceSample[] {
  return [...samples.filter(({ atMs }) => atMs > sample.atMs - WINDOW_MS && atMs < sample.atMs), sample];
}

/** Finished deliveries per second over the samples; null with too few samples. */
export function deliveriesPerSecond(samples: readonly PaceSample[]): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.atMs - first.atMs < 900) return null;
  return Math.max(0, (last.ended - first.ended) / ((last.atMs - first.atMs) / 1000));
}

/** Seconds until the replay ends at the current rate, capped at the replay's speed; null when it is stalled. */
export function secondsLeft(replay: WebhookReplay, pace: number | null): number | null {
  const rest = replay.total - endedOf(replay);
  const speed = Math.min(pace ?? replay.per_second, replay.per_second);
  return speed > 0 ? Math.ceil(rest / speed) : null;
}

/** "12 sec", "3 min", "2 hr 5 min". */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} sec`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} hr ${minutes % 60} min`;
}
