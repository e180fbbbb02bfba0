import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { onWake, type Topic } from "@/lib/platform/database/wake";

/** Every message causes a wake-up. One look serves all wake-ups within this time. */
const REST_MS = 20;

/**
 * Calls `look` now and after each wake-up of the topic, until it returns at least one item or `signal` is aborted.
 * Returns the items of the last look.
 */
export async function waitUntilFound<Item>(
  topic: Topic,
  signal: AbortSignal,
  look: () => Promise<Item[]>,
): Promise<Item[]> {
  if (signal.aborted) return look();
  let isWoken = false;
  let ring = () => {};
  // The listener starts before the first look, so no wake-up is missed.
  const unsubscribe = onWake(topic, () => {
    isWoken = true;
    ring();
  });
  const end = () => ring();
  signal.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      isWoken = false;
      const found = await look();
      if (found.length > 0 || signal.aborted) return found;
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          ring = resolve;
        });
      }
      if (signal.aborted) return look();
      await sleep(REST_MS);
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", end);
  }
}
