import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startEmbeddedPostgres } from "../../../lib/platform/postgres/embedded-postgres.ts";
import { callInstance } from "../../instance/call-instance.mjs";
import { findFreePort } from "../../instance/find-free-port.mjs";
import { readFirstRun } from "../../instance/open-instance.mjs";
import { SHORT_LEASES } from "../../instance/short-leases.mjs";
import { startReceiver } from "../../instance/start-receiver.mjs";
import { launchServer } from "../../instance/start-server.mjs";
import { WITHOUT_LIMITS } from "../../instance/without-limits.mjs";
import { checkOutcome } from "./check-outcome.mjs";
import { startSenders } from "./start-senders.mjs";

const READY_MS = 120_000;
const DRAIN_MS = 120_000;
const PHONES = 20;
const EVENTS = [
  "message.sent",
  "message.delivered",
  "message.read",
  "message.received",
  "message.failed",
  "chat.created",
];
/** Every nth kill hits a server that is still starting. */
const KILL_WHILE_STARTING_EVERY = 5;

/**
 * Keeps a server busy with sends and inbound messages, kills it with SIGKILL `kills` times at random moments and
 * restarts it. Then lets it finish and compares the clients' responses with the database. Resolves with the counts and
 * the problems. Does not delete the data directory.
 */
export async function runKillTest({ dataDir, kills, say }) {
  const receiver = await startReceiver();
  const port = await findFreePort();
  let server = await startAgain(port, dataDir);
  try {
    const client = await prepareAccount(dataDir, server.baseUrl, receiver.url);
    await withDatabase(dataDir, pauseAutoFlag);
    const senders = startSenders(client);
    for (let kill = 1; kill <= kills; kill++) {
      server = await killAtRandom({ server, port, dataDir, kill });
      say(`kill ${kill}/${kills}: ${senders.accepted()} sends accepted so far`);
    }
    await sleep(500);
    const emitted = await senders.finish();
    say("waiting for the work to end");
    return await withDatabase(dataDir, async (database) => {
      const drainSeconds = await drained(database);
      const outcome = await checkOutcome({
        database,
        emitted,
        received: await receiver.report(),
        drainSeconds,
      });
      return { ...outcome, details: { kills, ...outcome.details } };
    });
  } finally {
    await server.stop();
    receiver.stop();
  }
}

async function startAgain(port, dataDir) {
  const server = await launchServer(port, {
    ...WITHOUT_LIMITS,
    ...SHORT_LEASES,
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    ROLE: "all",
  });
  const deadline = Date.now() + READY_MS;
  while (!(await isReady(server.baseUrl))) {
    if (!server.isRunning() || Date.now() > deadline) {
      await server.kill();
      throw new Error(`the server did not start:\n${server.output()}`);
    }
    await sleep(25);
  }
  return server;
}

async function isReady(baseUrl) {
  try {
    return (await fetch(`${baseUrl}/ready`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

async function killAtRandom({ server, port, dataDir, kill }) {
  await sleep(200 + Math.random() * 1000);
  await server.kill();
  if (kill % KILL_WHILE_STARTING_EVERY === 0) {
    const starting = await launchServer(port, {
      ...WITHOUT_LIMITS,
      ...SHORT_LEASES,
      DATA_DIR: dataDir,
      DATABASE_URL: "",
      ROLE: "all",
    });
    await sleep(300 + Math.random() * 2000);
    await starting.kill();
  }
  return startAgain(port, dataDir);
}

/** Creates phones that have written to the line, so that they can be messaged, and a subscription to all events. */
export async function prepareAccount(dataDir, baseUrl, webhookUrl) {
  const { token, line } = readFirstRun(dataDir);
  const call = (route, body) => callInstance({ baseUrl, token }, `POST ${route}`, body);
  await call("/v3/webhook-subscriptions", { target_url: webhookUrl, subscribed_events: EVENTS });
  const chats = [];
  for (let phone = 0; phone < PHONES; phone++) {
    const handle = `+1555020${String(phone).padStart(4, "0")}`;
    await call("/simulator/phones", {
      handle,
      delay_ms: 20 * phone,
      read_after_ms: phone % 2 === 0 ? 50 : null,
    });
    const { chat_id } = await call(`/simulator/phones/${handle}/messages`, { to: line, text: "Hello" });
    chats.push({ id: chat_id, handle });
  }
  return { baseUrl, token, line, chats };
}

/** Messages without replies would flag the line, and reject its sends, at the next evaluation of its reputation. */
export async function pauseAutoFlag({ query }) {
  await query("update lines set auto_flag_paused_until = now() + interval '1 day'");
}

async function withDatabase(dataDir, work) {
  const postgres = await startEmbeddedPostgres({ dataDir, share: true });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return await work({ query: async (text, values) => (await client.query(text, values)).rows });
  } finally {
    await client.end();
    await postgres.stop();
  }
}

/** Seconds until no work is pending, or null on timeout. */
export async function drained(database) {
  const from = Date.now();
  for (;;) {
    const [{ busy }] = await database.query(
      `select exists (select from messages where dispatch_at is not null)
         or exists (select from simulator_messages where due_at is not null)
         or exists (select from webhook_deliveries where run_at is not null) as busy`,
    );
    if (!busy) return Math.round((Date.now() - from) / 1000);
    if (Date.now() - from > DRAIN_MS) return null;
    await sleep(200);
  }
}
