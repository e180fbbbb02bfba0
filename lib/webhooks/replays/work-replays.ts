import "server-only";
import { hasRows } from "@/lib/platform/database/has-rows";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { wakeLocally } from "@/lib/platform/database/wake";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import type { ChatQueue } from "@/lib/webhooks/deliveries/chat-queue";
import {
  passReleased,
  type ReleasedReplay,
  releaseReplays,
} from "@/lib/webhooks/replays/steps/release-replays";
import { settleReplay } from "@/lib/webhooks/replays/steps/settle-replay";

const CONCURRENCY = 20;
const POLL_MS = 1000;

/**
 * Processes replays until stopped: releases their deliveries at each replay's speed, by the platform clock, and ends
 * them. A replay's entire state is in the database, so a crashed process loses nothing.
 */
export function startReplays(): Queue {
  const timers = new Set<NodeJS.Timeout>();
  const passing = new Set<Promise<void>>();
  const queue = startQueue<ReleasedReplay>({
    name: "webhook replays",
    topic: "replays",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    hasWaiting: () => hasRows("webhook_replays", "run_at is not null"),
    claim: (limit) => releaseReplays(now(), limit),
    async handle({ goesOn, dueAt, queues, ...replay }) {
      const inMs = dueAt === null ? POLL_MS : dueAt.getTime() - now().getTime();
      if (inMs < POLL_MS) scheduleWakeUp(Math.max(inMs, 0));
      if (queues.length > 0) passTurns(queues);
      if (!goesOn) await settleReplay(replay, now());
    },
  });

  // A transaction that holds the row of one chat does not hold up the replays of others. If it fails, the schedule passes
  // the turns.
  function passTurns(queues: readonly ChatQueue[]): void {
    const work = passReleased(queues)
      .catch((error: unknown) =>
        log.error({ err: error }, "the turns of released deliveries were not passed"),
      )
      .finally(() => passing.delete(work));
    passing.add(work);
  }

  function scheduleWakeUp(ms: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      wakeLocally("replays");
    }, ms);
    timers.add(timer.unref());
  }

  return {
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await queue.stop();
      await Promise.all(passing);
    },
  };
}
