// npm run measure:storage: measures the disk space that a send takes, with its own database and server. Every send is
// accepted, sent and delivered, and an endpoint answers two webhooks. --sends 4000: number of sends per round. Prints
// Markdown tables.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildIfStale } from "../build.mjs";
import { callInstance } from "../instance/call-instance.mjs";
import { startReceiver } from "../instance/start-receiver.mjs";
import { startServer } from "../instance/start-server.mjs";
import { addPhones, CHAT_PATH, createTenant, numbered, SEND_BODY } from "./bench/create-tenant.mjs";
import { openDatabases } from "./bench/open-databases.mjs";
import { CHATS } from "./bench/open-stage.mjs";
import { hasWork } from "./bench/pending-work.mjs";
import { runMeasurement } from "./bench/run-measurement.mjs";

/** The first round is not counted: its rows fill the free space that the next rounds reuse. */
const ROUNDS = 4;
const CONCURRENCY = 20;
const SETTLE_MS = 300_000;
/** Smaller growth belongs to tables with one row per chat or hour. */
const LEAST_BYTES = 3;
/** Stands for the recipients' phones, which an instance with real lines does not have. */
const SIMULATOR = "simulator_messages";

// Each relation of a table by name, with the table's rows: the heap, the TOAST table with its index, and every index.
// Partitions are counted as their table.
const SIZES = `with stored as (
    select c.oid, c.reltoastrelid, coalesce(i.inhparent::regclass::text, c.relname) as name
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  )
  select name as table, 'heap' as part, name, sum(pg_relation_size(oid))::bigint as bytes from stored group by name
  union all
  select name, 'TOAST', name, sum(pg_total_relation_size(reltoastrelid))::bigint
    from stored where reltoastrelid <> 0 group by name
  union all
  select s.name, 'index', coalesce(p.inhparent, i.indexrelid)::regclass::text, sum(pg_relation_size(i.indexrelid))::bigint
    from stored s join pg_index i on i.indrelid = s.oid left join pg_inherits p on p.inhrelid = i.indexrelid
    group by 1, 3`;

const { values } = parseArgs({ options: { sends: { type: "string", default: "4000" } } });
const stops = [];

await runMeasurement(
  async () => process.stdout.write(`${await measureStorage(Number(values.sends))}\n`),
  stops,
);

async function measureStorage(sends) {
  await buildIfStale();
  const databases = await openDatabases({ names: ["withWorker"] });
  stops.push(databases.close);
  const database = databases.withWorker;
  const tenant = await createTenant(database, "sandbox");
  const server = await startServer({ ...database.env, ROLE: "all" });
  stops.push(server.stop);
  const receiver = await startReceiver();
  stops.push(async () => receiver.stop());
  await addPhones(server, database, tenant, CHATS);
  await callInstance({ baseUrl: server.baseUrl, token: tenant.token }, "POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.sent", "message.delivered"],
  });

  let before = [];
  for (let round = 0; round < ROUNDS; round++) {
    await sendAll({ server, database, tenant, sends });
    // As autovacuum does, so that the next round reuses the space of old row versions.
    await database.query("vacuum analyze");
    if (round === 0) before = await readSizes(database);
  }
  return render(growth(before, await readSizes(database), sends * (ROUNDS - 1)));
}

async function sendAll({ server, database, tenant, sends }) {
  const logged = await countLogged(database);
  let left = sends;
  const sendNext = async () => {
    while (left-- > 0) {
      const path = numbered(CHAT_PATH, 1 + Math.floor(Math.random() * CHATS));
      await callInstance(
        { baseUrl: server.baseUrl, token: tenant.token },
        `POST ${path}`,
        JSON.parse(SEND_BODY.replace("KEY", randomUUID())),
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));

  const deadline = Date.now() + SETTLE_MS;
  while ((await hasWork(database)) || (await countLogged(database)) < logged + sends) {
    if (Date.now() > deadline) throw new Error("the sends did not come to an end");
    await sleep(200);
  }
}

async function countLogged(database) {
  const [{ count }] = await database.query("select count(*)::int as count from api_requests");
  return count;
}

async function readSizes(database) {
  const sizes = await database.query(SIZES);
  const rows = new Map();
  for (const table of new Set(sizes.map((size) => size.table))) {
    const [{ count }] = await database.query(`select count(*)::int as count from "${table}"`);
    rows.set(table, count);
  }
  return sizes.map(({ bytes, ...size }) => ({ ...size, bytes: Number(bytes), rows: rows.get(size.table) }));
}

/** The growth of each relation per send, and of its table's rows. */
function growth(before, after, sends) {
  const old = new Map(before.map((size) => [size.name + size.part, size]));
  return after.map((size) => {
    const { bytes, rows } = old.get(size.name + size.part) ?? { bytes: 0, rows: 0 };
    return { ...size, bytes: (size.bytes - bytes) / sends, rows: (size.rows - rows) / sends };
  });
}

function render(grown) {
  const tables = [...Map.groupBy(grown, ({ table }) => table)]
    .map(([name, parts]) => ({ name, parts, rows: parts[0].rows, bytes: sum(parts) }))
    .filter(({ bytes }) => bytes >= LEAST_BYTES)
    .toSorted((a, b) => b.bytes - a.bytes);
  const counted = tables.filter(({ name }) => name !== SIMULATOR);
  const lines = (shown) =>
    shown.map(({ name, rows, parts }) => [
      `\`${name}\``,
      rows.toFixed(2),
      ...["heap", "TOAST", "index"].map((part) => bytes(sum(parts.filter((one) => one.part === part)))),
      bytes(sum(parts)),
    ]);
  const all = { name: "all", parts: counted.flatMap(({ parts }) => parts) };
  const [, , ...totals] = lines([{ ...all, rows: 0 }])[0];
  const indexes = counted.flatMap(({ name, parts }) =>
    parts
      .filter((one) => one.part === "index" && one.bytes >= 1)
      .toSorted((a, b) => b.bytes - a.bytes)
      .map((one) => [`\`${name}\``, `\`${one.name}\``, bytes(one.bytes)]),
  );
  const simulator = tables.filter(({ name }) => name === SIMULATOR);
  return [
    ...markdown(
      ["bytes per send", "rows", "heap", "TOAST", "indexes", "all"],
      [...lines(counted), ["**all**", "", ...totals.map((total) => `**${total}**`)], ...lines(simulator)],
    ),
    "",
    ...markdown(["table", "index", "bytes per send"], indexes),
  ].join("\n");
}

function markdown(header, rows) {
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

function sum(parts) {
  return parts.reduce((total, one) => total + one.bytes, 0);
}

function bytes(count) {
  return Math.round(count).toLocaleString("en");
}
