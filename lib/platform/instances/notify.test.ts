import "@/lib/testing/use-test-database";
import "@/lib/testing/capture-log";

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { closeDatabase, poolStates, sql } from "@/lib/platform/database/db";
import { onWake, TOPICS, type Topic, wake } from "@/lib/platform/database/wake";
import { connectToInstances } from "@/lib/platform/instances/notify";
import { startTcpProxy } from "@/lib/testing/servers/start-tcp-proxy";
import { until } from "@/lib/testing/until";

// The pools connect directly, so the proxy sees only the LISTEN connections.
await sql.runText({ text: "select 1" });
const directUrl = process.env.DATABASE_URL ?? "";
const proxy = await startTcpProxy(directUrl);
process.env.DATABASE_URL = proxy.url;

const FAST = { leastMs: 5, mostMs: 40 };
/** Frequent heartbeats, whose late responses do not end the connection. */
const PATIENT = { ...FAST, heartbeatMs: 20, answerMs: 30_000 };
const LISTENERS = {
  text: `select count(*)::int as listeners from pg_stat_activity
         where datname = current_database() and application_name = 'trunkline-listen'`,
};
let leave: (() => Promise<void>) | undefined;
let observers: pg.Client[] = [];

afterEach(async () => {
  await leave?.();
  leave = undefined;
  await Promise.all(observers.map((client) => client.end()));
  observers = [];
  proxy.setMode("forward");
});

afterAll(async () => {
  await closeDatabase();
  await proxy.close();
});

async function join(options: Parameters<typeof connectToInstances>[0] = FAST): Promise<void> {
  await expect.poll(() => proxy.open).toBe(0);
  proxy.resetPeak();
  // With a short `answerMs`, a busy machine can fail the first connection.
  leave = await until(() => connectToInstances(options).catch(() => false as const));
  await expect.poll(() => proxy.open).toBe(1);
}

async function countListeners(): Promise<number | undefined> {
  const [row] = await sql.runText<{ listeners: number }>(LISTENERS);
  return row?.listeners;
}

async function notify(topic: string): Promise<void> {
  await sql.runText({ text: "select pg_notify('trunkline', $1)", values: [`another-instance ${topic}`] });
}

async function untilWoken(topic: Parameters<typeof onWake>[0]): Promise<void> {
  let woken = 0;
  const stop = onWake(topic, () => woken++);
  await until(async () => {
    await notify(topic);
    return woken > 0;
  });
  stop();
}

test("a database that refuses connections is asked by one connection at a time, and listened to when it is back", async () => {
  await join();
  proxy.setMode("refuse");
  proxy.cut();
  await proxy.untilAccepted(8);

  expect(proxy.peak).toBe(1);
  proxy.setMode("forward");
  await untilWoken("replays");
  // The server processes of closed connections exit a moment later.
  await expect.poll(countListeners).toBe(1);
});

test("a connection that has gone silent is replaced", async () => {
  await join({ ...FAST, heartbeatMs: 20, answerMs: 100 });
  proxy.setMode("silent");
  // The heartbeat abandons the first connection and opens another.
  await proxy.untilAccepted(1);

  expect(proxy.peak).toBe(1);
  proxy.cut();
  proxy.setMode("forward");
  await untilWoken("accounts");
});

test("leaving while the database is away ends the attempts", async () => {
  await join();
  proxy.setMode("refuse");
  proxy.cut();
  await proxy.untilAccepted(2);

  await leave?.();
  leave = undefined;
  await expect.poll(() => proxy.open).toBe(0);
  proxy.setMode("forward");
  await expect.poll(countListeners).toBe(0);
});

const hasEveryTopic = (payload: string) => TOPICS.every((topic) => payload.split(" ").includes(topic));

/** A connection that records the notifications it receives. */
async function startObserver(applicationName: string) {
  const client = new pg.Client({ connectionString: directUrl, application_name: applicationName });
  observers.push(client);
  await client.connect();
  const received: string[] = [];
  client.on("notification", ({ payload = "" }) => received.push(payload));
  await client.query("listen trunkline; listen marker");
  return {
    received,
    /** Whether a wake-up of a topic is sent. Notifications arrive in order: what was sent before the marker has come. */
    async isSent(topic: Topic): Promise<boolean> {
      received.length = 0;
      wake(topic);
      // Started after the shorter timer of the wake-up, so it ends later. Then the statement runs, if there is one.
      await sleep(50);
      await until(() => poolStates().hot?.active === 0 && poolStates().hot?.waiting === 0);
      await client.query("select pg_notify('marker', '')");
      return received.some((payload) => payload.split(" ").includes(topic));
    },
    close: () => client.end(),
  };
}

test("a process that listens alone sends nothing, until another one listens", async () => {
  await join(PATIENT);
  const observer = await startObserver("observer");
  await until(async () => !(await observer.isSent("cards")));
  expect(await observer.isSent("replays")).toBe(false);

  const listener = await startObserver("trunkline-listen");
  await until(() => observer.isSent("cards"));
  expect(await observer.isSent("replays")).toBe(true);
  await listener.close();
  await until(async () => !(await observer.isSent("cards")));
});

test("a process that starts to listen announces itself, and the others answer with every topic", async () => {
  const observer = await startObserver("observer");
  await join(PATIENT);
  await until(() =>
    observer.received.some((payload) => payload.includes(" hello ") && hasEveryTopic(payload)),
  );

  await until(async () => !(await observer.isSent("cards")));
  observer.received.length = 0;
  await notify("hello");
  await until(() => observer.received.some(hasEveryTopic));
});

test("a count of listeners from before another process announced itself does not end the wake-ups", async () => {
  await join(PATIENT);
  const observer = await startObserver("observer");
  await until(async () => !(await observer.isSent("cards")));
  proxy.setMode("hold");
  await until(() => proxy.held.includes("listeners"));
  await startObserver("trunkline-listen");
  await notify("hello");
  await until(() => proxy.held.includes("hello"));

  // The count and the announcement arrive in one read. The next count stays held.
  proxy.releaseHeld();
  await until(() => observer.received.some(hasEveryTopic));

  expect(await observer.isSent("cards")).toBe(true);
});
