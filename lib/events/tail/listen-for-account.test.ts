import "@/lib/testing/use-test-database";

import { afterEach, expect, test } from "vitest";
import { listenForAccount } from "@/lib/events/tail/listen-for-account";
import { newId } from "@/lib/platform/ids";
import { connection } from "@/lib/testing/events/consumer-bench";
import { until } from "@/lib/testing/until";

const shared = globalThis as typeof globalThis & { trunklineTail?: unknown };

afterEach(async () => {
  await until(() => shared.trunklineTail === undefined);
});

test("a wait ends with its signal while a transaction that stores events does not end, and stops the reader", async () => {
  const client = await connection();
  await client.query("begin; lock table events in row exclusive mode");
  const bell = await listenForAccount(newId(Date.now()), AbortSignal.timeout(50));
  expect(await bell.rings()).toBe(false);
  expect(shared.trunklineTail).toBeDefined();
  bell.stop();
  await client.query("commit");
  await until(() => shared.trunklineTail === undefined);
});

test("a signal that is already aborted waits for nothing", async () => {
  const bell = await listenForAccount(newId(Date.now()), AbortSignal.abort());
  expect(await bell.rings()).toBe(false);
  bell.stop();
});
