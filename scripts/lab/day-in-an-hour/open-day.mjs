import { callInstance } from "../../instance/call-instance.mjs";
import { startReceiver } from "../../instance/start-receiver.mjs";
import { startServer } from "../../instance/start-server.mjs";
import { startWorker } from "../../instance/start-worker.mjs";
import { addPhones, createTenant, runAdmin } from "../bench/create-tenant.mjs";
import { openDatabases } from "../bench/open-databases.mjs";
import { STATEMENT_COUNTS } from "../bench/statement-counts.mjs";

export const CHATS = 1000;
export const RETENTION_MINUTES = 24 * 60;
/** The line that the slow and the failing endpoint follow. */
const QUIET_LINE = "+15550100002";
const QUIET_PHONES = 20;
const ENDPOINTS = {
  good: { leastMs: 0, mostMs: 0 },
  slow: { leastMs: 500, mostMs: 1000 },
  failing: { failing: 1 },
};
const EVENTS = ["message.sent", "message.received"];

/**
 * Starts an instance whose clock can be moved and whose data is kept for one day: a web process, a worker, two lines
 * with chats, and a good, a slow and a failing webhook endpoint. The good endpoint gets the events of both lines, the
 * other two those of the quiet line.
 */
export async function openDay(stops) {
  const databases = await openDatabases({
    names: ["day"],
    settings: STATEMENT_COUNTS,
  });
  stops.push(databases.close);
  await databases.queryAsAdmin("create extension pg_stat_statements", "day");
  const { day: database } = databases;

  const env = { ...database.env, CLOCK_CONTROL: "1", EVENT_LOG_DAYS: "1", REQUEST_LOG_DAYS: "1" };
  const tenant = await createTenant(database, "sandbox");
  await addQuietLine(database, tenant);
  const web = await startServer({ ...env, ROLE: "web" });
  stops.push(web.stop);
  const worker = await startWorker(env);
  stops.push(worker.stop);

  await addPhones(web, database, tenant, CHATS);
  const quietChats = await openQuietChats(web, tenant);
  const endpoints = await subscribe(web, tenant, stops);
  return {
    databases,
    database,
    tenant: { ...tenant, quietLine: QUIET_LINE, quietChats },
    endpoints,
    processes: { web, worker },
    postgresPid: databases.pid,
  };
}

async function addQuietLine(database, { accountId }) {
  const line = ["--account", accountId, "--number", QUIET_LINE, "--type", "iMessage"];
  await runAdmin(database, "create-line", ...line);
  await database.query("update lines set auto_flag_paused_until = now() + interval '1 year'");
  const options = JSON.stringify({ retention_minutes: RETENTION_MINUTES });
  await runAdmin(database, "set-account-options", "--account", accountId, "--options", options);
}

async function openQuietChats({ baseUrl }, { token }) {
  const chats = [];
  for (let number = 0; number < QUIET_PHONES; number++) {
    const handle = `+1557${String(number).padStart(7, "0")}`;
    await callInstance({ baseUrl, token }, "POST /simulator/phones", { handle, name: "Quiet" });
    const message = { to: QUIET_LINE, text: "Hello" };
    const { chat_id: id } = await callInstance(
      { baseUrl, token },
      `POST /simulator/phones/${handle}/messages`,
      message,
    );
    chats.push({ id, handle });
  }
  return chats;
}

async function subscribe({ baseUrl }, { token }, stops) {
  const endpoints = {};
  for (const [name, pace] of Object.entries(ENDPOINTS)) {
    const receiver = await startReceiver({ ...pace, keep: false });
    stops.push(async () => receiver.stop());
    const { id } = await callInstance({ baseUrl, token }, "POST /v3/webhook-subscriptions", {
      target_url: receiver.url,
      subscribed_events: EVENTS,
      ...(name === "good" ? {} : { phone_numbers: [QUIET_LINE] }),
    });
    endpoints[name] = { id, receiver };
  }
  return endpoints;
}
