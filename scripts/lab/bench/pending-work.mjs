import { setTimeout as sleep } from "node:timers/promises";

const SETTLE_MS = 60_000;

/** Whether the worker still has work to do. */
export async function hasWork(database) {
  const [{ busy }] = await database.query(
    `select exists (select from messages where dispatch_at is not null)
       or exists (select from webhook_deliveries where run_at is not null)
       or exists (select from simulator_messages where due_at is not null) as busy`,
  );
  return busy;
}

/** Waits until the worker has no work, looking every `everyMs`. Fails after a minute. */
export async function untilIdle(database, everyMs = 50) {
  const deadline = Date.now() + SETTLE_MS;
  while (await hasWork(database)) {
    if (Date.now() > deadline) throw new Error("the worker's work did not come to an end");
    await sleep(everyMs);
  }
}
