import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 200;
/** Both of one snapshot: a message that is there was taken at a time that the clock had reached. */
const LOOK = `select extract(epoch from clock_timestamp()) * 1000 as wall,
  coalesce((select offset_ms from platform_clock where id = 1), 0)::float8 as offset,
  (select coalesce(json_agg(json_build_array(account_id, parts -> 0 ->> 'value')), '[]') from messages
    where is_from_me and parts -> 0 ->> 'value' like 'later %') as left`;

/**
 * Follows the platform clock and the scheduled messages that leave, from outside. The history's `ticks` have the latest
 * time that any process can have read by then, also one that has not heard that the clock was set back; its `left` has the
 * tick at which each message was first seen. Returns a function that stops this.
 */
export function watchScheduled({ cluster, history }) {
  let isRunning = true;
  let latestMs = 0;
  const seen = new Set();
  const running = (async () => {
    while (isRunning) {
      const begunAt = performance.now();
      const [{ wall, offset, left }] = await cluster.query(LOOK);
      const wallMs = Number(wall);
      latestMs = Math.max(latestMs, wallMs + history.clock.offsetMs, wallMs + offset);
      history.clock.offsetMs = offset;
      history.ticks.push({ begunAt, endedAt: performance.now(), latestMs });
      for (const [accountId, text] of left) {
        if (seen.has(`${accountId} ${text}`)) continue;
        seen.add(`${accountId} ${text}`);
        history.left.push({ accountId, text, tick: history.ticks.length - 1 });
      }
      await sleep(LOOK_MS);
    }
  })();
  return () => {
    isRunning = false;
    return running;
  };
}

/** The platform clock as last seen, in milliseconds. */
export function platformNow({ history }) {
  return Date.now() + history.clock.offsetMs;
}
