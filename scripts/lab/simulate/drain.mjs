import { setTimeout as sleep } from "node:timers/promises";
import { followStream } from "./follow-stream.mjs";

const MAX_MS = 120_000;
const LOOK_MS = 250;
const STREAM_MS = 400;
/** A recurring job may be this late by the platform clock. */
const LATE_SECONDS = 90;

const PLATFORM_NOW = `(select clock_timestamp() + coalesce(max(offset_ms), 0) * interval '1 millisecond' from platform_clock)`;
/** The work of each queue that waits, and jobs that are overdue. */
const PENDING = `
  select * from (
    select 'messages' as queue, count(*)::int as count from messages where dispatch_at is not null
    union all select 'chat actions', count(*)::int from chat_actions
    union all select 'receipts', count(*)::int from simulator_messages where due_at is not null
    union all select 'messages of people', count(*)::int from simulator_delayed_messages
    union all select 'webhook deliveries', count(*)::int from webhook_deliveries where run_at is not null
    union all select 'webhook replays', count(*)::int from webhook_replays where run_at is not null
    union all select 'overdue: payment requests', count(*)::int from payment_requests where check_at < ${PLATFORM_NOW} - interval '${LATE_SECONDS} seconds'
    union all select 'overdue: chat health', count(*)::int from chats where health_due_at < ${PLATFORM_NOW} - interval '${LATE_SECONDS} seconds'
    union all select 'overdue: ' || name, 1 from schedules where due_at < ${PLATFORM_NOW} - interval '${LATE_SECONDS} seconds'
  ) work where count > 0`;

/** Waits until no queue has work, no job is overdue and the SMS center has delivered everything. Reports what it waits for. */
export async function drain(world, say) {
  const startedAt = performance.now();
  let reported = "";
  for (;;) {
    const pending = await readPending(world);
    const ms = performance.now() - startedAt;
    if (pending.length === 0 || ms > MAX_MS) {
      await Promise.all(world.partners.map((_, partner) => catchUp(world, partner)));
      return { pending, drainSeconds: Math.round(ms / 1000) };
    }
    const waiting = pending.map(({ queue, count }) => `${count} ${queue}`).join(", ");
    if (waiting !== reported) say(`waiting for ${waiting}`);
    reported = waiting;
    await sleep(LOOK_MS);
  }
}

async function readPending({ cluster, smsc }) {
  const rows = await cluster.query(PENDING);
  return smsc.undelivered === 0
    ? rows
    : [...rows, { queue: "deliveries of the SMS center", count: smsc.undelivered }];
}

/** Follows a stream until nothing comes any more. */
async function catchUp(world, partner) {
  const { stream } = world.partners[partner];
  for (let before = -1; stream.frames.length > before; ) {
    before = stream.frames.length;
    await followStream(world, { partner, ms: before === 0 ? STREAM_MS * 5 : STREAM_MS });
  }
}
