import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { toPostedRequest } from "../../../lib/webhooks/deliveries/attempt/stored-request.ts";
import { callInstance } from "../../instance/call-instance.mjs";
import { usedCpu } from "./cpu-seconds.mjs";
import { CHAT_ID, CHAT_PATH, numbered } from "./create-tenant.mjs";
import { loadBundle } from "./load-bundle.mjs";
import { untilIdle } from "./pending-work.mjs";
import { profileProcess } from "./profile-process.mjs";

const FOLLOW_EVENTS = new URL("../../cli/listen/follow-events.ts", import.meta.url);
const POST_LOOP = fileURLToPath(new URL("post-loop.mjs", import.meta.url));
/** Time to create the copies under load: a fixed part and a part per copy. It is doubled until it is enough. */
const PREPARE_MS = 2000;
const PREPARE_MS_EACH = 1;
const SETTLE_MS = 60_000;

/**
 * Measures deliveries per second to one endpoint from a backlog; an attempt counts once it is stored. Compared with a
 * minimal undici loop that posts the same bytes over the same number of connections to the same endpoint. Then drains
 * a backlog of each of `orders`, which has events of several chats, with `ordering` by chat and without. Returns one row per
 * round of each and a CPU profile of the worker.
 */
export async function measureDeliveries({
  server,
  database,
  databases,
  tenant,
  receiver,
  backlog,
  connections,
  seconds,
  rounds,
  orders,
  report,
}) {
  const example = await deliverOne({ server, database, tenant, receiver });
  const bare = fork(POST_LOOP);
  const measureBare = () => postBare(bare, { url: receiver.url, ...example, connections, seconds });
  const drain = (what) => deliverBacklog({ server, database, databases, receiver, example, ...what });
  const measureWorker = async () => ({ worker: await drain({ backlog }) });
  await measureWorker();
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    const [first, second] = round % 2 === 0 ? [measureBare, measureWorker] : [measureWorker, measureBare];
    const measured = Object.assign({}, await first(), await second());
    report(
      `round ${round + 1}/${rounds}, deliveries: worker ${measured.worker.perSecond.toFixed(0)}/s, bare loop ${measured.bare.perSecond.toFixed(0)}/s`,
    );
    rows.push({ round, ...measured });
  }
  bare.disconnect();
  const ordered = await measureOrders(orders, { drain, rounds, server, tenant, report });
  const { seconds: profile } = await profileProcess(server, measureWorker);
  return { rows, profile, ordered };
}

/** Drains each backlog with the option and without in every round, which of the two first in turns. */
async function measureOrders(orders, { drain, rounds, server, tenant, report }) {
  const program = { baseUrl: server.baseUrl, token: tenant.token };
  const path = "/v3/webhook-subscriptions";
  const { subscriptions } = await callInstance(program, `GET ${path}`);
  const setOrder = (ordering) => callInstance(program, `PUT ${path}/${subscriptions[0].id}`, { ordering });
  const measured = [];
  for (const { chats, backlog } of orders) {
    for (let round = 0; round < rounds; round++) {
      const row = { chats, backlog, round };
      for (const isOrdered of round % 2 === 0 ? [false, true] : [true, false]) {
        await setOrder(isOrdered ? "chat" : "none");
        row[isOrdered ? "ordered" : "unordered"] = await drain({ backlog, chats, isOrdered });
      }
      report(
        `round ${round + 1}/${rounds}, ${backlog} deliveries of ${chats} chats: ${row.unordered.perSecond.toFixed(0)}/s, in order ${row.ordered.perSecond.toFixed(0)}/s`,
      );
      measured.push(row);
    }
  }
  await setOrder("none");
  return measured;
}

/** Makes one real delivery. The backlog is copied from its rows, and the minimal loop posts its bytes. */
async function deliverOne({ server, database, tenant, receiver }) {
  await receiver.forget();
  const parts = [{ type: "text", value: "Your table for two at 19:30 is confirmed." }];
  const path = numbered(CHAT_PATH, 1);
  await callInstance({ baseUrl: server.baseUrl, token: tenant.token }, `POST ${path}`, {
    message: { parts },
  });
  await untilIdle(database, 10);
  const [{ eventId }] = await receiver.report();
  const [{ seq, type, subscription_id: subscriptionId, request }] = await database.query(
    `select e.seq, e.type, d.subscription_id, a.request from events e
     join webhook_deliveries d on d.account_id = e.account_id and d.event_seq = e.seq
     join webhook_attempts a on a.account_id = d.account_id and a.event_seq = d.event_seq and a.delivery_id = d.id where e.id = $1`,
    [eventId],
  );
  const body = await readBody(server.baseUrl, tenant.token, Number(seq));
  const { headers } = toPostedRequest(request, { eventId, eventType: type, subscriptionId });
  return { eventId, headers, body };
}

async function readBody(url, token, seq) {
  const { followEvents } = await loadBundle(FOLLOW_EVENTS);
  const events = followEvents({ url, token, query: {}, last: String(seq - 1), say: () => undefined });
  for await (const event of events) if (event.id === String(seq)) return event.data;
}

async function postBare(bare, options) {
  bare.send(options);
  const [{ posted, seconds, cpuSeconds: node }] = await once(bare, "message");
  return { bare: { perSecond: posted / seconds, nodeMicroseconds: (node * 1e6) / posted } };
}

/**
 * Delivers a backlog and measures from the moment it is due until every attempt is stored. `chats`: to how many chats its
 * events belong, in turn. `isOrdered`: the endpoint has an order, so only the first of each chat is due.
 */
async function deliverBacklog({
  server,
  database,
  databases,
  receiver,
  example,
  backlog,
  chats = 1,
  isOrdered = false,
}) {
  const { eventId } = example;
  await prepareBacklog(database, { eventId, count: backlog, chats, isOrdered });
  await receiver.forget();
  const before = usedCpu({ node: server.pid, postgres: databases.pid });
  const from = performance.now();
  await database.query("select pg_notify('trunkline', 'bench deliveries')");
  await arrived(receiver, backlog);
  await untilIdle(database, 10);
  const seconds = (performance.now() - from) / 1000;
  const after = usedCpu({ node: server.pid, postgres: databases.pid });

  const arrivals = (await receiver.report()).map(({ eventId }) => eventId);
  if (isOrdered) await checkOrder(database, arrivals);
  const distinct = new Set(arrivals).size;
  const [{ stored }] = await database.query(
    `select count(*)::int as stored from webhook_attempts a join webhook_deliveries d
       on d.account_id = a.account_id and d.id = a.delivery_id and d.event_seq = a.event_seq
     where d.created_at = 'epoch' and d.status = 'delivered' and a.status_code = 200`,
  );
  await deleteCopies(database);
  if (distinct !== backlog || stored !== backlog) {
    throw new Error(`of ${backlog} deliveries ${distinct} arrived and ${stored} are stored`);
  }
  return {
    perSecond: backlog / seconds,
    nodeMicroseconds: ((after.node - before.node) * 1e6) / backlog,
    postgresMicroseconds: ((after.postgres - before.postgres) * 1e6) / backlog,
  };
}

/** Makes a backlog and waits until it is due. Makes it again if it was due before it was there. */
async function prepareBacklog(database, { isOrdered, ...copies }) {
  for (let ms = PREPARE_MS + PREPARE_MS_EACH * copies.count; ; ms *= 2) {
    const dueAt = Date.now() + ms;
    await copyDelivery(database, { ...copies, dueAt });
    if (isOrdered) await queueByChat(database);
    await database.settle();
    const leftMs = dueAt - Date.now();
    if (leftMs > 0) return sleep(leftMs);
    await untilIdle(database);
    await deleteCopies(database);
  }
}

function deleteCopies(database) {
  return database.query("delete from webhook_deliveries where created_at = 'epoch'");
}

// All deliveries become due at the same time shortly afterwards, so that the worker finds them together. Their creation
// time identifies them.
async function copyDelivery(database, { eventId, count, dueAt, chats }) {
  await database.query(
    `with numbers as (
       select nextval(pg_get_serial_sequence('events', 'seq')) as seq, gen_random_uuid() as id, c % $4 + 1 as n
       from generate_series(1, $2) c
     ), copies as (
       insert into events select new.* from events old, numbers,
         lateral jsonb_populate_record(old, jsonb_build_object('seq', numbers.seq, 'id', numbers.id, 'chat_id', ${CHAT_ID})) new
       where old.id = $1 returning account_id, seq
     )
     insert into webhook_deliveries select new.* from webhook_deliveries old
       join events e on e.account_id = old.account_id and e.seq = old.event_seq, copies,
       lateral jsonb_populate_record(old, jsonb_build_object('id', gen_random_uuid(), 'event_seq', copies.seq,
         'status', 'waiting', 'attempts', 0, 'run_at', to_timestamp($3), 'ended_at', null, 'created_at', 'epoch')) new
     where e.id = $1`,
    [eventId, count, dueAt / 1000, chats],
  );
  await database.query("analyze");
}

/** Puts the copies into the queues of their chats, as the statement that stores events does. */
async function queueByChat(database) {
  await database.query(
    `with numbered as (
       select d.account_id, d.id, d.subscription_id, e.chat_id,
         row_number() over (partition by e.chat_id order by e.seq) + coalesce(known.last, 0) as sequence,
         row_number() over (partition by e.chat_id order by e.seq) = 1 as is_first
       from webhook_deliveries d join events e on e.account_id = d.account_id and e.seq = d.event_seq
         left join webhook_sequences known on known.account_id = d.account_id
           and known.subscription_id = d.subscription_id and known.chat_id = e.chat_id
       where d.created_at = 'epoch'
     ), queued as (
       update webhook_deliveries d set sequence = n.sequence, queue_chat_id = n.chat_id,
         run_at = case when n.is_first then d.run_at end
       from numbered n where d.account_id = n.account_id and d.id = n.id
     )
     insert into webhook_sequences (account_id, subscription_id, chat_id, last, turn)
     select account_id, subscription_id, chat_id, max(sequence), min(sequence) from numbered group by 1, 2, 3
     on conflict (account_id, subscription_id, chat_id) do update set last = excluded.last, turn = excluded.turn`,
  );
  await database.query("analyze");
}

/** Fails unless the events of each chat arrived in their order. */
async function checkOrder(database, arrivals) {
  const [{ wrong }] = await database.query(
    `select count(*)::int as wrong from (
       select e.seq < lag(e.seq) over (partition by e.chat_id order by a.place) as is_wrong
       from unnest($1::uuid[]) with ordinality a (id, place) join events e on e.id = a.id
     ) arrived where is_wrong`,
    [arrivals],
  );
  if (wrong > 0) throw new Error(`${wrong} deliveries overtook an earlier one of their chat`);
}

// Polls the receiver, because polling the database would add load to it.
async function arrived(receiver, count) {
  const deadline = Date.now() + SETTLE_MS;
  while ((await receiver.count()) < count) {
    if (Date.now() > deadline) throw new Error("the deliveries did not arrive");
    await sleep(10);
  }
}
