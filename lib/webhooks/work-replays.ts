import "server-only";
import { now } from "@/lib/platform/clock";
import { type Queue, startQueue } from "@/lib/platform/queue";
import { wakeHere } from "@/lib/platform/wake";
import { type ReleasedReplay, releaseReplays } from "@/lib/webhooks/release-replays";
import { settleReplay } from "@/lib/webhooks/settle-replay";

const CONCURRENCY = 20;
const POLL_MS = 1000;

/**
 * Works replays off until stopped: lets their deliveries go at each one's speed, by the platform clock, and ends them.
 * All that is known of a replay is in the database, so a process that dies takes nothing with it.
 */
export function startReplays(): Queue {
  const timers = new Set<NodeJS.Timeout>();
  const queue = startQueue<ReleasedReplay>({
    name: "webhook replays",
    topic: "replays",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: (limit) => releaseReplays(now(), limit),
    async handle({ goesOn, dueAt, ...replay }) {
      if (!goesOn) await settleReplay(replay, now());
      const inMs = dueAt === null ? POLL_MS : dueAt.getTime() - now().getTime();
      if (inMs < POLL_MS) wakeIn(Math.max(inMs, 0));
    },
  });

  function wakeIn(ms: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      wakeHere("replays");
    }, ms);
    timers.add(timer.unref());
  }

  return {
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await queue.stop();
    },
  };
}
