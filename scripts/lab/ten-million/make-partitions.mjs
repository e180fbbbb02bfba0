const DAY_MS = 24 * 60 * 60 * 1000;
/** The periods of the default settings: a tenth of 90 days of events and of 30 days of requests (decision 0015). */
const EVENT_PERIOD_MS = 9 * DAY_MS;
const REQUEST_PERIOD_MS = 3 * DAY_MS;
/** The smallest partition that the service makes for events. */
const LEAST_NUMBERS = 2 ** 22;

/**
 * Makes the partitions that an instance would have made while `events` rows were added during the last `spanMs`, before
 * `until` (in ms). The rows so far stay in the first partitions. Returns the last number before the first new event.
 */
export async function makePartitions(database, { events, until, spanMs }) {
  const last = await makeEventPartitions(database, { events, periods: Math.ceil(spanMs / EVENT_PERIOD_MS) });
  await makeRequestPartitions(database, until - spanMs, until);
  return last;
}

async function makeEventPartitions(database, { events, periods }) {
  const first = await firstFreeNumber(database);
  const perPeriod = Math.max(1, Math.ceil(events / periods));
  let from = first;
  for (let period = 1; period <= periods; period++) {
    // The current partition has room for the events of the measurements.
    const to = from + (period === periods ? perPeriod + LEAST_NUMBERS : perPeriod);
    for (const table of ["events", "webhook_attempts"]) {
      await database.query(
        `create table ${table}_p${from} partition of ${table} for values from (${from}) to (${to})`,
      );
    }
    from = to;
  }
  return first - 1;
}

/** The end of the last partition. */
async function firstFreeNumber(database) {
  const [{ first }] = await database.query(
    `select max((regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''?([0-9]+)''?\\)'))[1]::bigint)::float8 as first
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass`,
  );
  return first;
}

async function makeRequestPartitions(database, since, until) {
  const start = Math.floor(since / REQUEST_PERIOD_MS) * REQUEST_PERIOD_MS;
  const rows = await database.query(
    `select c.oid::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'api_requests'::regclass and c.relname <> 'api_requests_default'`,
  );
  for (const { name } of rows) await database.query(`alter table api_requests detach partition ${name}`);
  for (let from = start; from < until + REQUEST_PERIOD_MS; from += REQUEST_PERIOD_MS) {
    const [first, end] = [firstIdAt(from), firstIdAt(from + REQUEST_PERIOD_MS)];
    const name = `api_requests_p${first.slice(0, 8)}${first.slice(9, 13)}`;
    await database.query(
      `create table ${name} partition of api_requests for values from ('${first}') to ('${end}')`,
    );
  }
  for (const { name } of rows) {
    await database.query(`insert into api_requests select * from ${name}`);
    await database.query(`drop table ${name}`);
  }
}

/** The smallest UUIDv7 of a time in ms, as `firstIdAt` in lib/platform/ids.ts. */
function firstIdAt(ms) {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
