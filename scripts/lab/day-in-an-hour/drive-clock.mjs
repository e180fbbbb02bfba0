import { setTimeout as sleep } from "node:timers/promises";
import { callInstance } from "../../instance/call-instance.mjs";

// Jobs that are due every minute of the platform clock run at each step, so they run as often as in operation.
const STEP_MS = 60_000;

/**
 * Moves the platform clock forward every minute, so that it runs `speed` times as fast as the wall clock, until `stop`
 * is aborted. A change that fails is counted in `errors` and made up for by the next one. Returns the changes,
 * `[{ at, offsetMs }]` with wall-clock times in ms, which grow meanwhile, and the promise of the end.
 */
export function driveClock({ baseUrl }, { token }, { speed, stop, errors }) {
  const changes = [{ at: 0, offsetMs: 0 }];
  const drive = async () => {
    let last = performance.now();
    while (!stop.aborted) {
      await sleep(STEP_MS, undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted) break;
      const asked = performance.now();
      const change = { advance_seconds: ((asked - last) / 1000) * (speed - 1) };
      const at = Date.now();
      try {
        const { offset_ms: offsetMs } = await callInstance(
          { baseUrl, token },
          "PUT /simulator/clock",
          change,
        );
        changes.push({ at, offsetMs });
        last = asked;
      } catch (error) {
        const text = `clock: ${error.message.slice(0, 60)}`;
        errors[text] = (errors[text] ?? 0) + 1;
      }
    }
  };
  return { changes, ended: drive() };
}

/**
 * The wall-clock time in ms at which the platform clock reached a time. A time that a change skipped was reached at
 * that change.
 */
export function toWallTime(platformMs, changes) {
  for (let index = changes.length - 1; index >= 0; index--) {
    const { at, offsetMs } = changes[index];
    if (platformMs - offsetMs >= at) return platformMs - offsetMs;
    const before = changes[index - 1]?.offsetMs ?? 0;
    if (platformMs - before >= at) return at;
  }
  return platformMs;
}
