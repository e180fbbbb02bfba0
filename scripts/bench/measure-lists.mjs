import { CHAT_PATH, callApi } from "./create-tenant.mjs";
import { orderOf, percentiles } from "./statistics.mjs";

const PAGE = 50;
const PER_CHAT = 1000;

/** Fills a database with `count` messages, 1,000 in a chat: copies of its newest one. Returns the number of chats. */
export async function fillMessages(database, count) {
  const chats = Math.max(1, Math.round(count / PER_CHAT));
  await database.query(
    `insert into messages select new.* from (select * from messages order by id desc limit 1) old, generate_series(1, $1) i,
       lateral (select 1 + i % $2 as n) chat,
       lateral jsonb_populate_record(old, jsonb_build_object('id', uuidv7((i - $1) * interval '1 second'),
         'chat_id', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'), 'idempotency_key', null,
         'sender_id', (select p.id from participants p where p.account_id = old.account_id and p.is_me
           and p.chat_id = ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid))) new`,
    [count, chats],
  );
  await database.query("vacuum analyze messages");
  return chats;
}

/**
 * How long it takes to list the newest 50 messages of a chat, and 50 in the middle, one request at a time, in ms: each
 * of the servers in turn, in every round.
 */
export async function measureLists(servers, { rounds, requests, report }) {
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    for (const server of orderOf(servers, round)) {
      const newest = await timePages(server, requests, async () => "");
      const middle = await timePages(server, requests, (path) => cursorInTheMiddle(server, path));
      rows.push({ round, server: server.name, newest: percentiles(newest), middle: percentiles(middle) });
    }
    report(`round ${round + 1}/${rounds}, list of ${PAGE} messages`);
  }
  return rows;
}

async function timePages(server, requests, cursorOf) {
  const times = [];
  for (let request = 0; request < requests; request++) {
    const chat = 1 + Math.floor(Math.random() * server.chats);
    const path = CHAT_PATH.replace("%012d", String(chat).padStart(12, "0"));
    const url = `${path}?limit=${PAGE}${await cursorOf(path)}`;
    const from = performance.now();
    const { messages } = await callApi(server.baseUrl, server.token, "GET", url);
    times.push(performance.now() - from);
    if (messages.length !== PAGE) throw new Error(`${url} listed ${messages.length} messages`);
  }
  return times;
}
