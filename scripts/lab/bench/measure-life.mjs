import { setTimeout as sleep } from "node:timers/promises";
import { callInstance } from "../../instance/call-instance.mjs";
import { usedCpu } from "./cpu-seconds.mjs";
import { CHAT_PATH, SEND_BODY } from "./create-tenant.mjs";
import { PHONE_PATH, phoneBody } from "./measure-inbound.mjs";
import { untilIdle } from "./pending-work.mjs";
import { sendRequests } from "./send-requests.mjs";
import { costsByStep, createStatementCounts } from "./statement-counts.mjs";

const WHOLE_LIFE = ["message.sent", "message.delivered"];

/**
 * Measures the whole life of messages: of a send until the webhooks of its `message.sent` and `message.delivered` are
 * answered and stored, to phones that report after 200 ms and to phones that report at once, and of a received message
 * until its `message.received` is. Resolves with one row per round, direction and number of connections: CPU time of the
 * server and PostgreSQL per message, and the cost of each step.
 */
export async function measureLife({ connections, rounds, seconds, ...stage }) {
  const { server, tenant, report } = stage;
  const counts = createStatementCounts(stage.database, stage.databases.admin);
  const lives = [
    { direction: "out", path: CHAT_PATH, body: SEND_BODY, events: WHOLE_LIFE, delayMs: 200 },
    { direction: "out at once", path: CHAT_PATH, body: SEND_BODY, events: WHOLE_LIFE, delayMs: 0 },
    { direction: "in", path: PHONE_PATH, body: phoneBody(tenant), events: ["message.received"] },
  ];
  const rows = [];
  for (const { direction, path, body, events, delayMs = null } of lives) {
    const restore = await subscribe(server, tenant, events);
    if (delayMs !== null) await stage.database.query("update simulator_phones set delay_ms = $1", [delayMs]);
    const target = { baseUrl: server.baseUrl, path, token: tenant.token, count: stage.chats, body };
    for (let round = -1; round < rounds; round++) {
      for (const count of connections) {
        const row = await measureOnce({ ...stage, target, counts, connections: count, seconds });
        // The first round warms up, and the planner then learns the size of the tables, as after a minute of operation.
        if (round < 0) {
          await stage.database.query("analyze");
          continue;
        }
        rows.push({ direction, connections: count, round, ...row });
        report(
          `round ${round + 1}/${rounds}, whole life ${direction}, ${count} connections: ${row.perSecond.toFixed(0)}/s, ${(row.nodeMicroseconds + row.postgresMicroseconds).toFixed(0)} µs of CPU each`,
        );
      }
    }
    await restore();
  }
  return rows;
}

/** Sets the events of the tenant's subscription. Returns a function that restores them. */
async function subscribe({ baseUrl }, { token }, events) {
  const path = "/v3/webhook-subscriptions";
  const { subscriptions } = await callInstance({ baseUrl, token }, `GET ${path}`);
  const [{ id, subscribed_events }] = subscriptions;
  const set = (to) => callInstance({ baseUrl, token }, `PUT ${path}/${id}`, { subscribed_events: to });
  await set(events);
  return () => set(subscribed_events);
}

async function measureOnce({
  server,
  database,
  databases,
  receiver,
  tools,
  counts,
  target,
  connections,
  seconds,
}) {
  await database.settle();
  await receiver.forget();
  await counts.start();
  const before = usedCpu({ node: server.pid, postgres: databases.pid });
  const from = performance.now();
  const result = await sendRequests(target, { wrk: tools.wrk, connections, seconds });
  await untilIdle(database);
  const elapsed = (performance.now() - from) / 1000;
  const after = usedCpu({ node: server.pid, postgres: databases.pid });
  const statements = await counts.stop();
  if (result.failed > 0) throw new Error(`${result.failed} requests failed`);

  // Requests that were interrupted at the end can be stored too.
  const webhooks = new Set((await receiver.report()).map(({ eventId }) => eventId)).size;
  const messages = result.requests;
  const steps = costsByStep(statements, messages);
  return {
    messages,
    webhooks,
    perSecond: messages / result.seconds,
    p50: result.p50,
    p99: result.p99,
    settledSeconds: elapsed - result.seconds,
    nodeMicroseconds: ((after.node - before.node) * 1e6) / messages,
    postgresMicroseconds: ((after.postgres - before.postgres) * 1e6) / messages,
    othersCores: (after.others - before.others) / elapsed,
    statements: steps.reduce((sum, { calls }) => sum + calls, 0),
    walBytes: steps.reduce((sum, { walBytes }) => sum + walBytes, 0),
    steps,
  };
}

/** A connection of PostgreSQL without work reports its changes up to 10 s late, and autovacuum would find them then. */
const UNTIL_REPORTED_MS = 12_000;
const CALM_SECONDS = 5;
const CALM_STATEMENTS_PER_SECOND = 12;
const MAX_WINDOWS = 60;

/** Waits until PostgreSQL has vacuumed what the parts before have changed, and the server indexes nothing any more. */
async function untilCalm(counts, admin) {
  for (let window = 0; window < MAX_WINDOWS; window++) {
    await counts.start();
    await sleep(CALM_SECONDS * 1000);
    const statements = (await counts.stop()).reduce((sum, { calls }) => sum + calls, 0);
    const { rows } = await admin.query(
      "select count(*)::int as count from pg_stat_activity where backend_type = 'autovacuum worker'",
    );
    if (rows[0].count === 0 && statements / CALM_SECONDS <= CALM_STATEMENTS_PER_SECOND) return;
  }
  throw new Error("the server did not become idle");
}

/** Measures an idle server with a worker and its PostgreSQL: statements per second, CPU seconds per minute. */
export async function measureIdle({ seconds, server, database, databases, report }) {
  const counts = createStatementCounts(database, databases.admin);
  await untilIdle(database);
  await sleep(UNTIL_REPORTED_MS);
  // Otherwise autovacuum and a checkpoint do this in the measured minute, after all that the parts before have stored.
  for (const one of [databases.withoutWorker, databases.withWorker]) await one.query("vacuum (analyze)");
  await databases.admin.query("checkpoint");
  await untilCalm(counts, databases.admin);
  await counts.start();
  const before = usedCpu({ node: server.pid, postgres: databases.pid });
  await sleep(seconds * 1000);
  const after = usedCpu({ node: server.pid, postgres: databases.pid });
  const statements = await counts.stop();
  const steps = costsByStep(statements, seconds);
  const row = {
    nodeSecondsPerMinute: ((after.node - before.node) * 60) / seconds,
    postgresSecondsPerMinute: ((after.postgres - before.postgres) * 60) / seconds,
    statementsPerSecond: steps.reduce((sum, { calls }) => sum + calls, 0),
    statements: statements.map(({ query, calls }) => ({
      text: query.replaceAll(/\s+/g, " ").slice(0, 160),
      perMinute: (calls * 60) / seconds,
    })),
  };
  report(`idle for ${seconds} s: ${row.statementsPerSecond.toFixed(1)} statements per second`);
  return row;
}
