import "@/lib/testing/use-test-database";
import "@/lib/testing/capture-log";

import { afterAll, afterEach, expect, test } from "vitest";
import { closeDatabase, sql } from "@/lib/platform/db";
import { connectToInstances } from "@/lib/platform/notify";
import { onWake } from "@/lib/platform/wake";
import { startTcpProxy } from "@/lib/testing/start-tcp-proxy";
import { until } from "@/lib/testing/until";

// The pools connect directly, so the proxy sees only the LISTEN connections.
await sql.query({ text: "select 1" });
const proxy = await startTcpProxy(process.env.DATABASE_URL ?? "");
process.env.DATABASE_URL = proxy.url;

const FAST = { leastMs: 5, mostMs: 40 };
let leave: (() => Promise<void>) | undefined;

afterEach(async () => {
  await leave?.();
  leave = undefined;
  proxy.setMode("forward");
});

afterAll(async () => {
  await closeDatabase();
  await proxy.close();
});

async function join(options: Parameters<typeof connectToInstances>[0] = FAST): Promise<void> {
  await expect.poll(() => proxy.open).toBe(0);
  proxy.resetPeak();
  leave = await connectToInstances(options);
  await sql.query({ text: "select 1" });
  expect(proxy.open).toBe(1);
}

async function notify(topic: string): Promise<void> {
  await sql.query({ text: "select pg_notify('trunkline', $1)", values: [`another-instance ${topic}`] });
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
  const [row] = await sql.query<{ listeners: number }>({
    text: `select count(*)::int as listeners from pg_stat_activity
           where datname = current_database() and application_name = 'trunkline-listen'`,
  });
  expect(row?.listeners).toBe(1);
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
  const [row] = await sql.query<{ listeners: number }>({
    text: `select count(*)::int as listeners from pg_stat_activity
           where datname = current_database() and application_name = 'trunkline-listen'`,
  });
  expect(row?.listeners).toBe(0);
});
