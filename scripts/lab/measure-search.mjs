// node scripts/lab/measure-search.mjs [--minutes 5] [--searches 200]: stores messages for a part of the time, adds them to the
// search for the rest, and measures bytes per message and the time of searches, in a database of its own.
import { parseArgs } from "node:util";
import { loadBundle } from "./bench/load-bundle.mjs";
import { openDatabases } from "./bench/open-databases.mjs";
import { runMeasurement } from "./bench/run-measurement.mjs";
import { percentiles } from "./bench/statistics.mjs";
import { createAccount, storeMessages } from "./search/fill-messages.mjs";
import { SEARCHES } from "./search/searches.mjs";

const MINUTE_MS = 60_000;
/** Storing a message takes this part of the time of storing it and adding it to the search. */
const STORING = 0.2;

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "5" }, searches: { type: "string", default: "200" } },
});
const report = (line) => process.stdout.write(`${line}\n`);
const stops = [];

await runMeasurement(measure, stops);

async function measure() {
  const databases = await openDatabases({ names: ["searched"] });
  stops.push(databases.close);
  const database = databases.searched;
  Object.assign(process.env, database.env);
  const source = await loadBundle(new URL("search/search-source.ts", import.meta.url));
  stops.push(() => source.closeDatabase());
  await source.applyMigrations(database.url);

  const account = await createAccount(database);
  const endAt = performance.now() + Number(values.minutes) * MINUTE_MS;
  const stored = await storeMessages(
    database,
    account,
    performance.now() + Number(values.minutes) * MINUTE_MS * STORING,
  );
  report(`${stored} messages stored`);

  const from = performance.now();
  const indexed = await addToSearch(source, database, account, endAt);
  const perSecond = indexed / ((performance.now() - from) / 1000);
  report(`${indexed} messages added to the search, ${Math.round(perSecond)} per second`);
  await database.query("vacuum analyze");
  for (const row of await readSizes(database, indexed)) report(`${row.name}: ${row.bytes} bytes per message`);
  for (const { name, q } of SEARCHES) report(`${name}: ${render(await measureSearch(source, account, q))}`);
}

async function addToSearch({ indexStep }, database, account, endAt) {
  let progress;
  do {
    await indexStep(account.id, 0);
    [progress] = await database.query("select events_to, messages_from from message_search_progress");
  } while ((progress.events_to === null || progress.messages_from !== null) && performance.now() < endAt);
  const [{ count }] = await database.query("select count(*)::int as count from message_search");
  return count;
}

async function readSizes(database, count) {
  return database.query(
    `select c.relname as name, round(pg_total_relation_size(c.oid) / $1::numeric, 1)::float as bytes
     from pg_class c where c.relname in ('message_search', 'message_search_segments')
     union all
     select c.relname, round(pg_relation_size(c.oid) / $1::numeric, 1)::float
     from pg_class c where c.relname in ('message_search_terms_idx', 'message_search_pkey')
     order by 1`,
    [count],
  );
}

async function measureSearch({ SearchMessageViews, searchMessageViews }, account, q) {
  const ctx = { account, actor: { type: "system" }, traceId: "0".repeat(32), now: new Date() };
  const times = [];
  let found = 0;
  for (let n = 0; n < Number(values.searches); n++) {
    const from = performance.now();
    const { messages } = await searchMessageViews(ctx, {
      query: SearchMessageViews.query.parse({ q: q(n) }),
    });
    times.push(performance.now() - from);
    found += messages.length;
  }
  return { ...percentiles(times), found: found / times.length };
}

function render({ p50, p95, max, found }) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  return `p50 ${ms(p50)}, p95 ${ms(p95)}, slowest ${ms(max)}, ${found.toFixed(1)} results`;
}
