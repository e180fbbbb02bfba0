import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { callInstance } from "../../instance/call-instance.mjs";
import { startServer } from "../../instance/start-server.mjs";
import { cpuSeconds } from "./cpu-seconds.mjs";
import { CHAT_PATH } from "./create-tenant.mjs";
import { percentiles } from "./statistics.mjs";

const LISTENERS = fileURLToPath(new URL("stream-listeners.mjs", import.meta.url));
const SETTLE_MS = 20_000;

/**
 * Measures the time in ms from an event to its receipt by each of many listeners. All listeners follow one account on
 * one web process while sends to another process cause the events. The event's timestamp is from before its commit. One
 * row per round.
 */
export async function measureStreams({
  server,
  database,
  tenant,
  listeners,
  sendsPerSecond,
  seconds,
  rounds,
  report,
}) {
  const web = await startServer({ ...database.env, ROLE: "web", STREAMS_PER_ACCOUNT: String(listeners) });
  const crowd = fork(LISTENERS);
  const ended = once(crowd, "exit").then(([code]) => {
    throw new Error(`the listeners ended with exit code ${code}`);
  });
  // The next question reports it.
  ended.catch(() => undefined);
  const queryListeners = async (what) => {
    const answer = once(crowd, "message");
    crowd.send(what);
    return (await Promise.race([answer, ended]))[0];
  };
  try {
    await queryListeners({ open: { url: web.baseUrl, token: tenant.token, count: listeners } });
    const rows = [];
    for (let round = 0; round < rounds; round++) {
      await queryListeners("forget");
      const cpuBefore = cpuSeconds(web.pid);
      const from = new Date();
      await sendSteadily({ server, tenant, sendsPerSecond, seconds });
      const events = await eventsSince(database, from, sendsPerSecond * seconds);
      const received = await receivedAll(queryListeners, events.length * listeners);
      const latency = percentiles(latencies(events, received));
      const microseconds = ((cpuSeconds(web.pid) - cpuBefore) * 1e6) / received.length;
      report(
        `round ${round + 1}/${rounds}, ${listeners} listeners: p50 ${latency.p50.toFixed(1)} ms, p99 ${latency.p99.toFixed(1)} ms`,
      );
      rows.push({ round, listeners, events: events.length, ...latency, microseconds });
    }
    return rows;
  } finally {
    crowd.disconnect();
    await web.stop();
  }
}

async function sendSteadily({ server, tenant, sendsPerSecond, seconds }) {
  for (let sent = 0; sent < sendsPerSecond * seconds; sent++) {
    const path = CHAT_PATH.replace("%012d", String(1 + (sent % tenant.chats)).padStart(12, "0"));
    const parts = [{ type: "text", value: "Your table for two at 19:30 is confirmed." }];
    await Promise.all([
      callInstance({ baseUrl: server.baseUrl, token: tenant.token }, `POST ${path}`, { message: { parts } }),
      sleep(1000 / sendsPerSecond),
    ]);
  }
}

/** The partner-facing events of the sends, once every send has been delivered. */
async function eventsSince(database, from, sends) {
  const deadline = Date.now() + SETTLE_MS;
  for (;;) {
    const events = await database.query(
      `select id, type, extract(epoch from created_at)::float8 * 1000 as at from events
       where not internal and created_at >= $1`,
      [from],
    );
    if (events.filter((event) => event.type === "message.delivered").length === sends) return events;
    if (Date.now() > deadline) throw new Error("the sends were not delivered");
    await sleep(100);
  }
}

async function receivedAll(queryListeners, count) {
  const deadline = Date.now() + SETTLE_MS;
  for (;;) {
    const { received } = await queryListeners("report");
    if (received.length === count) return received;
    if (Date.now() > deadline)
      throw new Error(`the listeners received ${received.length} of ${count} events`);
    await sleep(200);
  }
}

function latencies(events, received) {
  const at = new Map(events.map((event) => [event.id, event.at]));
  return received.map(([eventId, receivedAt]) => receivedAt - at.get(eventId));
}
