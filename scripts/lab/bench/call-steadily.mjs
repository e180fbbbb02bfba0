import { setTimeout as sleep } from "node:timers/promises";

/**
 * Calls `call(index)` at a constant rate without waiting for the results, so that a slow server gets more concurrent
 * requests, as in production. While `maxOpen` calls are open, further ones that are due are left out, and `leaveOut` is
 * called instead. `stop` ends the calls early. Calls begin every `everyMs`, those that are due together. Resolves once all calls have ended. Rejects if a call rejects.
 */
export async function callSteadily(
  { perSecond, seconds, maxOpen = Number.POSITIVE_INFINITY, leaveOut, stop, everyMs = 1 },
  call,
) {
  const total = Math.round(perSecond * seconds);
  const from = performance.now();
  const open = new Set();
  let failure = null;
  const begin = (index) => {
    const running = call(index)
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => open.delete(running));
    open.add(running);
  };
  for (let next = 0; next < total && failure === null && !stop?.aborted; ) {
    const due = Math.min(total, Math.floor(((performance.now() - from) / 1000) * perSecond) + 1);
    for (; next < due; next++) {
      if (open.size < maxOpen) begin(next);
      else leaveOut();
    }
    await sleep(everyMs);
  }
  await Promise.all(open);
  if (failure !== null) throw failure;
}
