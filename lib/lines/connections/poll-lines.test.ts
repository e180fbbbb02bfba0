import { captureLog } from "@/lib/testing/capture-log";

import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registerTransport } from "@/lib/adapters/transports/registry";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { PolledPage, Running } from "@/lib/adapters/transports/transport";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { startLinePolls } from "@/lib/lines/connections/poll-lines";
import { setLineUp } from "@/lib/lines/lines/set-line-up";
import { sql } from "@/lib/platform/database/db";
import { wakeLocally } from "@/lib/platform/database/wake";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { lineOf } from "@/lib/testing/line-of";
import { until } from "@/lib/testing/until";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";
import { startNumericVendor } from "@/lib/testing/vendors/numeric-vendor";

const CONTACT = "+15550102300";

const logged = captureLog();

let account: TestAccount;
let vendor: Awaited<ReturnType<typeof startNumericVendor>>;
let loops: Running[] = [];

beforeAll(() => registerTransport(numericTransport));

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  vendor = await startNumericVendor("vendor-secret");
  await connect();
});

afterEach(async () => {
  await Promise.all(loops.map((loop) => loop.stop()));
  loops = [];
  await sql.runText({
    text: "update lines set released_at = now() where account_id = $1",
    values: [account.ref.id],
  });
  await vendor.close();
});

async function connect(): Promise<void> {
  const [line] = await sql.runText<{ id: string }>({
    text: "update lines set transport = 'numeric' where account_id = $1 returning id",
    values: [account.ref.id],
  });
  await setLineConnection(
    { accountId: account.ref.id, id: line?.id ?? "" },
    { url: vendor.url, secret: "x" },
  );
}

function start(sink: Sink = inboundSink): void {
  loops.push(startLinePolls(sink));
}

interface PolledLine {
  cursor: string | null;
  failures: number;
  isLeased: boolean;
  due_in: number;
}

async function polledLine(): Promise<PolledLine> {
  const [line] = await sql.runText<PolledLine>({
    text: `select poll_cursor as cursor, poll_failures as failures, poll_lease_until is not null as "isLeased",
             extract(epoch from poll_due_at - now())::float8 as due_in from lines where account_id = $1`,
    values: [account.ref.id],
  });
  if (line === undefined) throw new Error("the account has no line");
  return line;
}

async function received(): Promise<string[]> {
  const rows = await sql.runText<{ text: string }>({
    text: `select parts->0->>'value' as text from messages where account_id = $1 and not is_from_me order by position`,
    values: [account.ref.id],
  });
  return rows.map(({ text }) => text);
}

/** Makes the line due now, as if its pause were over. */
async function makeLineDue(): Promise<void> {
  await sql.runText({
    text: "update lines set poll_due_at = 'epoch' where account_id = $1",
    values: [account.ref.id],
  });
  wakeLocally("lines");
}

const idleAt = (cursor: string) => async () => {
  const line = await polledLine();
  return line.cursor === cursor && !line.isLeased;
};

test("all pages of a vendor are stored in order, and the next poll is due after the interval of the transport", async () => {
  for (const text of ["one", "two", "three"]) vendor.write(CONTACT, text);
  start();
  await until(idleAt("3"));

  expect(await received()).toEqual(["one", "two", "three"]);
  expect(vendor.polls).toEqual([null, "2"]);
  const { due_in, failures } = await polledLine();
  expect(failures).toBe(0);
  expect(due_in).toBeGreaterThan(20);
  expect(due_in).toBeLessThanOrEqual(30);
});

test("a message that can't be stored as it is, or at all, does not hold the cursor", async () => {
  vendor.write(CONTACT, "no\0ne");
  vendor.write(`${CONTACT}\0`, "two");
  vendor.write("\ud800", "three");
  await sql.runText({
    text: "alter table messages add constraint no_four check (parts->0->>'value' <> 'four')",
  });
  vendor.write(CONTACT, "four");
  vendor.write(CONTACT, "five");
  start();
  await until(idleAt("5"));
  await sql.runText({ text: "alter table messages drop constraint no_four" });

  expect(await received()).toEqual(["none", "two", "three", "five"]);
  const kept = await sql.runText({
    text: "select type, times from set_aside_events where account_id = $1",
    values: [account.ref.id],
  });
  expect(kept).toEqual([{ type: "message", times: 1 }]);
  expect((await polledLine()).failures).toBe(0);
});

test("a line that came back is polled at once", async () => {
  start();
  await until(idleAt("0"));
  const { id } = await lineOf(account);
  await setLineUp(account.ref.id, id, false);
  await sql.runText({
    text: "update lines set poll_due_at = now() + interval '1 hour' where account_id = $1",
    values: [account.ref.id],
  });
  vendor.write(CONTACT, "meanwhile");
  await setLineUp(account.ref.id, id, true);
  await until(idleAt("1"));
  expect(await received()).toEqual(["meanwhile"]);
});

test("the next poll starts by itself when it falls due", async () => {
  start();
  await until(idleAt("0"));
  vendor.write(CONTACT, "later");
  await sql.runText({
    text: "update lines set poll_due_at = now() + interval '300 milliseconds' where account_id = $1",
    values: [account.ref.id],
  });
  wakeLocally("lines");
  await until(idleAt("1"));

  expect(await received()).toEqual(["later"]);
  expect(vendor.polls).toEqual([null, "0"]);
});

test("a line that is connected while the loop runs is polled at once, from where it was", async () => {
  start();
  await until(idleAt("0"));
  vendor.write(CONTACT, "after the change");
  await connect();
  await until(idleAt("1"));

  expect(vendor.polls).toEqual([null, "0"]);
  expect(await received()).toEqual(["after the change"]);
});

test("one of several processes polls a line", async () => {
  vendor.write(CONTACT, "once");
  for (let count = 0; count < 3; count++) start();
  await until(idleAt("1"));
  for (let count = 0; count < 3; count++) wakeLocally("lines");
  await Promise.all(loops.map((loop) => loop.stop()));

  expect(vendor.polls).toEqual([null]);
  expect(await received()).toEqual(["once"]);
});

describe("a process that dies", () => {
  test("after it stored the events and before the cursor loses none, and none is stored twice", async () => {
    vendor.write(CONTACT, "one");
    vendor.write(CONTACT, "two");
    let failures = 0;
    start({
      async receive(line, events) {
        await inboundSink.receive(line, events);
        if (failures++ === 0) throw new Error("died");
      },
    });
    await until(async () => (await polledLine()).failures === 1);
    expect(await received()).toEqual(["one", "two"]);
    expect((await polledLine()).cursor).toBeNull();

    vendor.write(CONTACT, "three");
    await makeLineDue();
    await until(idleAt("3"));
    expect(await received()).toEqual(["one", "two", "three"]);
  });

  test("leaves its line to another process when its lease ends, and not before", async () => {
    vendor.write(CONTACT, "found");
    const lease = (seconds: number) =>
      sql.runText({
        text: "update lines set poll_lease_until = clock_timestamp() + $2 * interval '1 second' where account_id = $1",
        values: [account.ref.id, seconds],
      });
    await lease(60);
    const other = await createTestAccount({ type: "sandbox" });
    await sql.runText({
      text: "update lines set transport = 'numeric' where account_id = $1",
      values: [other.ref.id],
    });
    const [line] = await sql.runText<{ id: string }>({
      text: "select id from lines where account_id = $1",
      values: [other.ref.id],
    });
    await setLineConnection({ accountId: other.ref.id, id: line?.id ?? "" }, { url: vendor.url });
    start();
    await until(async () => vendor.polls.length > 0);
    expect(await received()).toEqual([]);

    await lease(-1);
    wakeLocally("lines");
    await until(idleAt("1"));
    expect(await received()).toEqual(["found"]);
    await sql.runText({
      text: "update lines set released_at = now() where account_id = $1",
      values: [other.ref.id],
    });
  });

  test("after its lease ended does not move the cursor back", async () => {
    vendor.write(CONTACT, "one");
    const stored = Promise.withResolvers<void>();
    start({
      async receive(line, events) {
        await inboundSink.receive(line, events);
        await sql.runText({
          text: "update lines set poll_cursor = '7' where account_id = $1",
          values: [account.ref.id],
        });
        stored.resolve();
      },
    });
    await stored.promise;
    await Promise.all(loops.map((loop) => loop.stop()));

    expect((await polledLine()).cursor).toBe("7");
  });
});

test("failed polls lengthen the pause, and a successful poll shortens it again", async () => {
  const loggedBefore = logged.length;
  vendor.failPolls(2);
  vendor.write(CONTACT, "at last");
  start();
  for (const [failures, boundSeconds] of [
    [1, 60],
    [2, 120],
  ] as const) {
    await until(async () => (await polledLine()).failures === failures);
    const { due_in, cursor } = await polledLine();
    expect(due_in).toBeGreaterThan(boundSeconds / 2 - 10);
    expect(due_in).toBeLessThanOrEqual(boundSeconds);
    expect(cursor).toBeNull();
    await makeLineDue();
  }
  await until(idleAt("1"));

  expect(await received()).toEqual(["at last"]);
  expect(await polledLine()).toMatchObject({ failures: 0 });
  const warnings = logged.slice(loggedBefore);
  expect(warnings.filter((line) => line.includes("a line could not be polled"))).toHaveLength(2);
});

test("a line that is connecting shows why its polls fail", async () => {
  await sql.runText({
    text: "update lines set is_up = false, down_reason = 'connecting' where account_id = $1",
    values: [account.ref.id],
  });
  vendor.failPolls(1);
  start();
  await until(async () => {
    const [line] = await sql.runText<{ down_reason: string }>({
      text: "select down_reason from lines where account_id = $1",
      values: [account.ref.id],
    });
    return line?.down_reason === "the vendor answered 503";
  });
});

test("a line that was released, or has no connection, is not polled", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  await sql.runText({
    text: "update lines set transport = 'numeric' where account_id = $1",
    values: [other.ref.id],
  });
  await sql.runText({
    text: "update lines set released_at = now() where account_id = $1",
    values: [account.ref.id],
  });
  start();
  wakeLocally("lines");
  await Promise.all(loops.map((loop) => loop.stop()));

  expect(vendor.polls).toEqual([]);
});

test("a poll under way when the process stops is ended, and its line stays due", async () => {
  const asked = Promise.withResolvers<void>();
  registerTransport({
    ...numericTransport,
    poll: {
      everySeconds: 30,
      read: (_line, _connection, _cursor, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
          asked.resolve();
        }),
    },
  });
  try {
    start();
    await asked.promise;
    await Promise.all(loops.map((loop) => loop.stop()));
  } finally {
    registerTransport(numericTransport);
  }

  expect(await polledLine()).toMatchObject({ failures: 0, isLeased: false, cursor: null });
  expect((await polledLine()).due_in).toBeLessThanOrEqual(0);
});

test("a poll over an earlier connection stores nothing about the next one, and leaves its lease", async () => {
  const polls = [1, 2].map(() => ({
    asked: Promise.withResolvers<void>(),
    page: Promise.withResolvers<PolledPage>(),
  }));
  const [first, second] = polls as [(typeof polls)[0], (typeof polls)[0]];
  let count = 0;
  registerTransport({
    ...numericTransport,
    poll: {
      everySeconds: 30,
      read: async () => {
        const poll = count++ === 0 ? first : second;
        poll.asked.resolve();
        return poll.page.promise;
      },
    },
  });
  try {
    start();
    await first.asked.promise;
    const stopped = loops[0]?.stop();
    await connect();
    start();
    await second.asked.promise;
    first.page.resolve({ events: [], cursor: "of the first", more: false });
    await stopped;
    expect(await polledLine()).toMatchObject({ cursor: null, isLeased: true });

    second.page.resolve({ events: [], cursor: "of the second", more: false });
    await until(idleAt("of the second"));
  } finally {
    registerTransport(numericTransport);
  }
});
