import { callInstance } from "../../instance/call-instance.mjs";
import { CHAT_ID, CHAT_PATH, HANDLE, numbered } from "./create-tenant.mjs";
import { orderOf, percentiles } from "./statistics.mjs";

const PAGE = 50;
const PER_CHAT = 1000;
const CHATS_READ = 10;
/** The older page is this many pages down in every list. */
const PAGES_DOWN = 5;
const CHAT_PAGES_DOWN = 50;
const TURNED = 100;

const WRITTEN_BY_SENDS =
  "messages, events, webhook_deliveries, webhook_attempts, simulator_messages, transport_refs";

/**
 * Creates `count` messages in a database, 1,000 per chat, as copies of its newest message. Returns the number of chats
 * with messages.
 */
export async function fillMessages(database, count) {
  const chats = count / PER_CHAT;
  await database.query(
    "create temp table newest as select m as message from messages m order by id desc limit 1",
  );
  await database.query(`truncate ${WRITTEN_BY_SENDS}`);
  await database.query(
    `insert into messages select new.*
     from generate_series(1, $1::int) i
     join (select id, chat_id, row_number() over (order by chat_id) - 1 as n from participants
           where is_me and chat_id::text like '00000000-0000-7000-8000-%') sender on sender.n = i % $2::int
     cross join newest
     cross join lateral jsonb_populate_record(newest.message, jsonb_build_object(
       'id', uuidv7((i - $1) * interval '1 second'), 'position', nextval('chat_positions'), 'chat_id', sender.chat_id, 'sender_id', sender.id, 'idempotency_key', null)) new`,
    [count, chats],
  );
  await database.query("vacuum analyze messages");
  return chats;
}

/**
 * Increases the number of the account's chats to `count` with copies of its first chat. Each copy has its own
 * participants and time.
 */
export async function fillChats(database, accountId, { from, count }) {
  const copies = {
    chats: `jsonb_build_object('id', ${CHAT_ID}, 'recipient_handle', ${HANDLE}, 'participants_key', ${HANDLE},
      'transport_ref', null, 'last_activity_at', now() - n * interval '1 second')`,
    participants: `jsonb_build_object('id', gen_random_uuid(), 'chat_id', ${CHAT_ID},
      'handle', case when old.is_me then old.handle else ${HANDLE} end)`,
  };
  for (const [table, changes] of Object.entries(copies)) {
    await database.query(
      `insert into ${table} select new.* from ${table} old, generate_series($2::int + 1, $3::int) n,
         lateral jsonb_populate_record(old, ${changes}) new
       where old.account_id = $1 and old.${table === "chats" ? "id" : "chat_id"} = (
         select ${CHAT_ID}::uuid from (values (1)) first(n))`,
      [accountId, from, count],
    );
    await database.query(`vacuum analyze ${table}`);
  }
}

/**
 * Measures the time in ms to list 50 messages of a chat and 50 chats, for the newest and for older pages. Sends one
 * request at a time and alternates between the servers in every round.
 */
export async function measureLists(servers, { rounds, requests, report }) {
  const pages = new Map();
  for (const server of servers) pages.set(server, await choosePages(server));
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    for (const server of orderOf(servers, round)) {
      const row = { round, server: server.name };
      for (const [page, urls] of Object.entries(pages.get(server))) {
        row[page] = percentiles(await timeRequests(server, urls, requests));
      }
      rows.push(row);
    }
    report(`round ${round + 1}/${rounds}, lists of ${PAGE} messages and ${PAGE} chats`);
  }
  return rows;
}

/** The URLs of each page type. Every round uses the same chats, spread evenly over all that have messages. */
async function choosePages(server) {
  const chats = Array.from({ length: CHATS_READ }, (_, index) =>
    Math.floor((index * server.chats) / CHATS_READ),
  );
  const paths = chats.map((chat) => numbered(CHAT_PATH, chat + 1));
  const further = [];
  for (const path of paths) further.push(await findPage(server, path, PAGES_DOWN));
  return {
    "messages, newest": paths.map((path) => `${path}?limit=${PAGE}`),
    "messages, 500 down": further,
    "chats, newest": [`/v3/chats?limit=${PAGE}`],
    "chats, 5,000 down": [await findPage(server, "/v3/chats", CHAT_PAGES_DOWN)],
  };
}

async function findPage(server, path, pagesDown) {
  let cursor = "";
  for (let page = 0; page < pagesDown; page++) {
    const { next_cursor } = await callInstance(server, `GET ${path}?limit=${TURNED}${cursor}`);
    cursor = `&cursor=${next_cursor}`;
  }
  return `${path}?limit=${PAGE}${cursor}`;
}

async function timeRequests(server, urls, requests) {
  const times = [];
  for (let request = 0; request < requests; request++) {
    const url = urls[request % urls.length];
    const from = performance.now();
    const { messages, chats } = await callInstance(server, `GET ${url}`);
    times.push(performance.now() - from);
    const listed = (messages ?? chats).length;
    if (listed !== PAGE) throw new Error(`${url} listed ${listed}`);
  }
  return times;
}
