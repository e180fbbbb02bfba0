import { setTimeout as sleep } from "node:timers/promises";
import { onInstance } from "./faults.mjs";
import { followStream } from "./follow-stream.mjs";
import { EVENTS } from "./open-receivers.mjs";

const MAX_MS = 120_000;
const LOOK_MS = 250;
const STREAM_MS = 500;
/** A job may be this late: recurring ones by PostgreSQL's clock, others by the platform clock. */
const LATE_SECONDS = 90;

const PLATFORM_NOW = `(select clock_timestamp() + coalesce(max(offset_ms), 0) * interval '1 millisecond' from platform_clock)`;
/** The work of each queue that waits, and jobs that are overdue. */
const PENDING = `
  select * from (
    select 'messages' as queue, count(*)::int as count from messages where dispatch_at is not null
    union all select 'scheduled messages', count(*)::int from scheduled_messages where due_at is not null
    union all select 'chat actions', count(*)::int from chat_actions
    union all select 'receipts', count(*)::int from simulator_messages where due_at is not null
    union all select 'messages of people', count(*)::int from simulator_delayed_messages
    union all select 'webhook deliveries', count(*)::int from webhook_deliveries where run_at is not null
    union all select 'webhook replays', count(*)::int from webhook_replays where run_at is not null
    union all select 'overdue: payment requests', count(*)::int from payment_requests where check_at < ${PLATFORM_NOW} - interval '${LATE_SECONDS} seconds'
    union all select 'overdue: chat health', count(*)::int from chats where health_due_at < ${PLATFORM_NOW} - interval '${LATE_SECONDS} seconds'
    union all select 'overdue: ' || name, 1 from schedules where due_at < clock_timestamp() - interval '${LATE_SECONDS} seconds'
  ) work where count > 0`;

const LAST_EVENT = `select coalesce(max(seq), 0)::int as last from events
  where account_id = $1 and not internal and type = any($2)`;

const SECONDS_TO_DUE = `select ceil(extract(epoch from max(due_at) - ${PLATFORM_NOW}))::int as seconds from scheduled_messages`;

/** Waits until no queue has work, no job is overdue and the SMS center has delivered everything. What is scheduled is due now. Reports what it waits for. */
export async function drain(world, say) {
  const startedAt = performance.now();
  let reported = "";
  const [{ seconds }] = await world.cluster.query(SECONDS_TO_DUE);
  if (seconds > 0) await onInstance(world, "POST /simulator/clock", { advance: seconds });
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

/** Follows the stream of a partner up to the last event that its program wants. */
async function catchUp(world, partner) {
  const { accountId, stream } = world.partners[partner];
  const [{ last }] = await world.cluster.query(LAST_EVENT, [accountId, EVENTS]);
  const end = performance.now() + MAX_MS;
  while (stream.after < last && performance.now() < end)
    await followStream(world, { partner, ms: STREAM_MS });
}
