import { Agent, setGlobalDispatcher } from "undici";
import { callInstance } from "../../instance/call-instance.mjs";
import { callSteadily } from "./call-steadily.mjs";
import { CHAT_PATH, numbered } from "./create-tenant.mjs";
import { untilIdle } from "./pending-work.mjs";
import { percentiles } from "./statistics.mjs";

/**
 * Measures the time in ms from an event to the receipt of its first webhook, at a constant rate of sends: from the
 * event's timestamp, which is from before its commit, until the endpoint has read the request. One row per round.
 */
export async function measureWebhooks({
  server,
  database,
  tenant,
  receiver,
  perSecond,
  seconds,
  rounds,
  report,
}) {
  setGlobalDispatcher(new Agent({ connections: 50, keepAliveTimeout: 60_000 }));
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    await database.settle();
    await receiver.forget();
    const from = new Date();
    await callSteadily({ perSecond, seconds }, (index) =>
      sendOne(server, tenant, `steady-${round}-${index}`),
    );
    await untilIdle(database);
    const row = await compare({
      database,
      from,
      received: await receiver.report(),
      expected: perSecond * seconds,
    });
    report(
      `round ${round + 1}/${rounds}, event to webhook: p50 ${row.toWebhook.p50.toFixed(1)} ms, p99 ${row.toWebhook.p99.toFixed(1)} ms`,
    );
    rows.push({ round, ...row });
  }
  return rows;
}

function sendOne(server, tenant, key) {
  const chat = 1 + Math.floor(Math.random() * tenant.chats);
  const path = numbered(CHAT_PATH, chat);
  const parts = [{ type: "text", value: "Your table for two at 19:30 is confirmed." }];
  return callInstance({ baseUrl: server.baseUrl, token: tenant.token }, `POST ${path}`, {
    message: { parts, idempotency_key: key },
  });
}

async function compare({ database, from, received, expected }) {
  const rows = await database.query(
    `select e.id, extract(epoch from e.created_at)::float8 * 1000 as event_at,
       extract(epoch from m.created_at)::float8 * 1000 as accepted_at
     from events e join messages m on m.account_id = e.account_id and m.id = e.message_id
     where e.type = 'message.sent' and m.created_at >= $1`,
    [from],
  );
  const receivedAt = new Map();
  for (const { eventId, begunAt } of received) if (!receivedAt.has(eventId)) receivedAt.set(eventId, begunAt);
  const missing = rows.filter((row) => !receivedAt.has(row.id)).length;
  if (rows.length !== expected || missing > 0) {
    throw new Error(`${expected} sends made ${rows.length} events, of which ${missing} never came`);
  }
  return {
    events: rows.length,
    repeated: received.length - receivedAt.size,
    toWebhook: percentiles(rows.map((row) => receivedAt.get(row.id) - row.event_at)),
    acceptToWebhook: percentiles(rows.map((row) => receivedAt.get(row.id) - row.accepted_at)),
  };
}
