import { loadBundle } from "./load-bundle.mjs";
import { percentiles } from "./statistics.mjs";

const HOSTILE_SEARCHES = 12;
/** Visits every value of 20,000 events and matches each string against a regular expression that backtracks. */
const HOSTILE_PATH = '$.** ? (@.type() == "string" && @ like_regex "^(([a-z0-9-])+ ?)+!$")';
const ORDINARY_PATH = '$.text ? (@ == "order 7")';

/**
 * Measures the time in ms of one account's searches, alone and while another account keeps twelve hostile JSON-path
 * searches waiting. Both share one pool and one queue, as in the server's process.
 */
export async function measureSearches({ database, rounds, searches, hostileEvents, report }) {
  Object.assign(process.env, database.env);
  const { ListEventViews, listEventViews, closeDatabase } = await loadBundle(
    new URL("search-events.ts", import.meta.url),
  );
  const hostile = await createAccount(database, "hostile", hostileEvents);
  const other = await createAccount(database, "other", 2000);
  await database.query("vacuum analyze events");
  const search = (account, json_path) =>
    listEventViews(contextOf(account), { query: ListEventViews.query.parse({ json_path }) });

  const time = async () => {
    const times = [];
    for (let index = 0; index < searches; index++) {
      const from = performance.now();
      await search(other, ORDINARY_PATH);
      times.push(performance.now() - from);
    }
    return percentiles(times);
  };

  await time();
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await time();
    let isOver = false;
    // Each search is canceled after three seconds and started again immediately.
    const attackers = Array.from({ length: HOSTILE_SEARCHES }, async () => {
      while (!isOver) await search(hostile, HOSTILE_PATH).catch(() => undefined);
    });
    const beside = await time();
    isOver = true;
    await Promise.all(attackers);
    rows.push({ round, alone, beside });
    report(`round ${round + 1}/${rounds}, searches beside ${HOSTILE_SEARCHES} hostile ones`);
  }
  await closeDatabase();
  return rows;
}

async function createAccount(database, name, events) {
  const [{ id, partner_id: partnerId }] = await database.query(
    `with p as (insert into partners (id, name) values (uuidv7(), $1) returning id)
     insert into accounts (id, partner_id, name, type) select uuidv7(), id, $1, 'production' from p
     returning id, partner_id`,
    [name],
  );
  await database.query(
    `insert into events (account_id, id, type, trace_id, data, created_at)
     select $1, uuidv7(), 'message.sent', md5(n::text), jsonb_build_object('text', 'order ' || n % 100,
       'parts', (select jsonb_agg(jsonb_build_object('type', 'text', 'value', repeat(md5(n::text || p), 2)))
                 from generate_series(1, 10) p)), now()
     from generate_series(1, $2::int) n`,
    [id, events],
  );
  return { id, partnerId, type: "production" };
}

function contextOf(account) {
  return { account, actor: { type: "system" }, traceId: "0".repeat(32), now: new Date() };
}
