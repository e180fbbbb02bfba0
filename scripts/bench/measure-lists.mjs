import { CHAT_PATH, callApi } from "./create-tenant.mjs";
import { orderOf, percentiles } from "./statistics.mjs";

const PAGE = 50;
const PER_CHAT = 1000;
const CHATS_READ = 10;

const WRITTEN_BY_SENDS =
  "messages, events, webhook_deliveries, webhook_attempts, simulator_messages, transport_refs";

/**
 * Leaves `count` messages in a database, 1,000 in a chat: copies of its newest one. Returns the number of chats that
 * have some.
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
       'id', uuidv7((i - $1) * interval '1 second'), 'chat_id', sender.chat_id, 'sender_id', sender.id, 'idempotency_key', null)) new`,
    [count, chats],
  );
  await database.query("vacuum analyze messages");
  return chats;
}

/**
 * How long it takes to list 50 messages of a chat, the newest and those in the middle, one request at a time, in ms:
 * each of the servers in turn, in every round.
 */
export async function measureLists(servers, { rounds, requests, report }) {
  const pages = new Map();
  for (const server of servers) pages.set(server, await choosePages(server));
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    for (const server of orderOf(servers, round)) {
      const { newest, middle } = pages.get(server);
      rows.push({
        round,
        server: server.name,
        newest: percentiles(await timeRequests(server, newest, requests)),
        middle: percentiles(await timeRequests(server, middle, requests)),
      });
    }
    report(`round ${round + 1}/${rounds}, lists of ${PAGE} messages`);
  }
  return rows;
}

/** The same chats in every round, spread over all there are; and for each the address of a page in its middle. */
async function choosePages(server) {
  const chats = Array.from({ length: CHATS_READ }, (_, index) =>
    Math.floor((index * server.chats) / CHATS_READ),
  );
  const paths = chats.map((chat) => CHAT_PATH.replace("%012d", String(chat + 1).padStart(12, "0")));
  const middle = [];
  for (const path of paths) middle.push(await findMiddle(server, path));
  return { newest: paths.map((path) => `${path}?limit=${PAGE}`), middle };
}

async function findMiddle(server, path) {
  let cursor = "";
  for (let page = 0; page < PER_CHAT / 2 / 100; page++) {
    const { next_cursor } = await callApi(server.baseUrl, server.token, "GET", `${path}?limit=100${cursor}`);
    cursor = `&cursor=${next_cursor}`;
  }
  return `${path}?limit=${PAGE}${cursor}`;
}

async function timeRequests(server, urls, requests) {
  const times = [];
  for (let request = 0; request < requests; request++) {
    const url = urls[request % urls.length];
    const from = performance.now();
    const { messages } = await callApi(server.baseUrl, server.token, "GET", url);
    times.push(performance.now() - from);
    if (messages.length !== PAGE) throw new Error(`${url} listed ${messages.length} messages`);
  }
  return times;
}
