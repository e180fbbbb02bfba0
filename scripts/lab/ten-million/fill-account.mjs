import { fillTables, SPAN_MS, timeOfRow } from "./fill-tables.mjs";
import { makePartitions } from "./make-partitions.mjs";
import { sealSessions } from "./seal-sessions.mjs";
import { withoutIndexes } from "./without-indexes.mjs";

/**
 * Adds `counts[table]` rows to the tables of the demo's account, as copies of the demo's rows. Indexes and keys are
 * dropped before and created again after. Ends with the figures that jobs would have counted meanwhile, and with new
 * statistics. `until` is the time of the newest row in ms.
 */
export async function fillAccount(database, { demo, counts, until, report }) {
  const tables = Object.keys(counts).filter((table) => counts[table] > 0);
  const last = {
    seq: await makePartitions(database, { events: counts.events, until, spanMs: SPAN_MS }),
    position: await lastPosition(database),
  };
  const fills = fillTables({ ...demo, counts, until, last }).filter(({ table }) => tables.includes(table));
  await withoutIndexes(database, tables, { report }, async () => {
    for (const fill of fills) {
      const from = performance.now();
      await database.query(
        insertOf(fill, await columnsOf(database, fill), { count: counts[fill.table], until }),
      );
      if (counts[fill.table] >= 100_000) {
        report(`  ${counts[fill.table]} ${fill.table} in ${seconds(from)} s`);
      }
    }
  });
  await database.query("select setval('events_seq_seq', $1), setval('chat_positions', $2)", [
    last.seq + counts.events,
    last.position + counts.messages,
  ]);
  await countDays(database, demo);
  if (counts.payment_requests > 0) await sealSessions(database, demo.accountId);
  for (const table of tables) await database.query(`vacuum analyze ${table}`);
}

async function lastPosition(database) {
  const [row] = await database.query("select last_value::int as position from chat_positions");
  return row.position;
}

// A template's own columns are copied, unless the fill has other values for them.
async function columnsOf(database, { table, template, columns }) {
  if (template === undefined) return Object.entries(columns);
  const rows = await database.query(
    "select column_name as name from information_schema.columns where table_name = $1 and table_schema = 'public'",
    [table],
  );
  return rows.map(({ name }) => [name, columns[name] ?? `t."${name}"`]);
}

function insertOf({ table, template, match = "true", ms }, columns, { count, until }) {
  const names = columns.map(([name]) => `"${name}"`).join(", ");
  const values = columns.map(([, value]) => value).join(", ");
  const copied = template === undefined ? "" : `join (${template}) t on ${match}`;
  return `insert into ${table} (${names}) select ${values}
    from (
      select n, ms, to_timestamp(ms / 1000.0)::timestamptz(3) as made_at
      from (select n, (${ms ?? timeOfRow({ until, count })})::bigint as ms from generate_series(1, ${count}) n) timed
    ) row ${copied}`;
}

/**
 * As the jobs that count messages, receipts and chats per line and day, the chats of a line by health, and the activity
 * per hour. They run at least every ten minutes, so a real account has no backlog.
 */
export async function countDays(database, { accountId }) {
  await database.query("delete from line_days where account_id = $1", [accountId]);
  await database.query(
    `insert into line_days (account_id, line_id, day, sent, received, failed, new_chats, delivered)
     select $1, line_id, day, sum(sent), sum(received), sum(failed), sum(new_chats), sum(delivered) from (
       select line_id, (created_at at time zone 'UTC')::date as day, count(*) filter (where is_from_me) as sent,
         count(*) filter (where not is_from_me) as received,
         count(*) filter (where failed_at < now() - interval '3 days') as failed, 0 as new_chats, 0 as delivered
       from messages where account_id = $1 group by 1, 2
       union all
       select line_id, (created_at at time zone 'UTC')::date, 0, 0, 0, count(*), 0
       from chats where account_id = $1 group by 1, 2
       union all
       select line_id, (created_at at time zone 'UTC')::date, 0, 0, 0, 0, count(*)
       from events where account_id = $1 and type = 'message.delivered' and line_id is not null group by 1, 2
     ) counted group by 2, 3`,
    [accountId],
  );
  await database.query(
    `update accounts set volumes_to = uuidv7(), failures_to = uuidv7(interval '-3 days'),
       receipts_to = (select max(seq) + 1 from events where account_id = $1)
     where id = $1`,
    [accountId],
  );
  await database.query(
    `update lines l set evaluated_at = now(), chat_counts = (
       select json_build_object('chats', count(*), 'atRisk', count(*) filter (where health_status = 'AT_RISK'),
         'critical', count(*) filter (where health_status = 'CRITICAL'), 'optedOut', count(*) filter (where health_status = 'OPTED_OUT'))
       from chats c where c.account_id = $1 and c.line_id = l.id)
     where l.account_id = $1`,
    [accountId],
  );
  await countHours(database, accountId);
}

/** The metrics and steps are those of `lib/events/activity/activity.ts` and `lib/platform/telemetry/latency-steps.ts`. */
const ACTIVITY = `
  select date_bin('15 minutes', e.created_at, '2000-01-01 00:00:00Z'::timestamptz) as hour, e.type as metric, e.line_id,
    case when e.type = 'message.failed' then (m.sent_at is not null)::int else coalesce(least(greatest(ceil(
      ln(greatest(extract(epoch from m.delivered_at - m.created_at) * 1000, 1)::float8) / ln(1.2::float8)), 0), 115), 0) end as step
  from events e
  left join messages m on m.account_id = $1 and m.id = e.message_id and e.type in ('message.delivered', 'message.failed')
  where e.account_id = $1 and not e.internal and e.type in
    ('message.sent', 'message.received', 'message.delivered', 'message.failed', 'payment.succeeded', 'payment.declined')
  union all
  select date_bin('15 minutes', o.started_at, '2000-01-01 00:00:00Z'::timestamptz), 'opt_out', c.line_id, 0
  from opt_outs o left join chats c on c.account_id = $1 and c.id = o.chat_id where o.account_id = $1`;

async function countHours(database, accountId) {
  await database.query("delete from account_hours where account_id = $1", [accountId]);
  await database.query(
    `insert into account_hours (account_id, hour, metric, latency_step, count)
     select $1, hour, metric, step, count(*) from (${ACTIVITY}) counted group by 2, 3, 4`,
    [accountId],
  );
  await database.query("delete from line_activity where account_id = $1", [accountId]);
  await database.query(
    `insert into line_activity (account_id, line_id, minutes, at, metric, latency_step, count)
     select $1, line_id, minutes, date_bin(minutes * interval '1 minute', hour, '2000-01-01 00:00:00Z'::timestamptz), metric,
       case when metric = 'message.delivered' then greatest((step::int + 2) / 3 * 3 - 1, 0) else step::int end, count(*)
     from (${ACTIVITY}) counted, unnest(array[15, 1440]) minutes
     where line_id is not null and metric not like 'payment.%' group by 2, 3, 4, 5, 6`,
    [accountId],
  );
  await database.query(
    `update accounts set opt_outs_to = uuidv7(), line_opt_outs_to = uuidv7(), activity_to = last.seq, line_activity_to = last.seq
     from (select max(seq) + 1 as seq from events where account_id = $1) last where id = $1`,
    [accountId],
  );
}

function seconds(from) {
  return ((performance.now() - from) / 1000).toFixed(1);
}
