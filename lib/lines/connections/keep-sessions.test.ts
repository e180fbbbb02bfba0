import { captureLog } from "@/lib/testing/capture-log";

import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Connection } from "@/lib/adapters/transports/callback";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import { registerTransport } from "@/lib/adapters/transports/registry";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { Running } from "@/lib/adapters/transports/transport";
import { sessionParameters } from "@/lib/lines/connections/held-sessions";
import { startLineSessions } from "@/lib/lines/connections/keep-sessions";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, createDirectChat, createTestPhone, readMessage } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";

const logged = captureLog();

/** The sessions that are open: the secret of each. */
const open: string[] = [];
let sent: string[] = [];
let keepers: Running[] = [];
let account: TestAccount;
let lineId: string;

let reported: InEvent[] = [];

const SINK: Sink = {
  async receive(_, events) {
    reported.push(...events);
  },
};

beforeAll(() =>
  registerTransport({
    ...numericTransport,
    name: "with-sessions",
    async send(message) {
      sent.push(message.id);
      return { refs: [message.id], groupRef: null, service: "SMS" };
    },
    sessions: {
      open(_, { secret = "" }: Connection) {
        if (secret === "invalid") throw new Error("the settings are incomplete");
        open.push(secret);
        return {
          async stop() {
            open.splice(open.indexOf(secret), 1);
          },
        };
      },
    },
  }),
);

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  const [line] = await sql.runText<{ id: string }>({
    text: "select id from lines where account_id = $1",
    values: [account.ref.id],
  });
  lineId = line?.id ?? "";
});

afterEach(async () => {
  await Promise.all(keepers.map((keeper) => keeper.stop()));
  keepers = [];
  sent = [];
  reported = [];
  await sql.runText({ text: "update lines set released_at = now()" });
});

async function connect(secret: string): Promise<void> {
  await sql.runText({
    text: "update lines set transport = 'with-sessions' where account_id = $1",
    values: [account.ref.id],
  });
  await setLineConnection({ accountId: account.ref.id, id: lineId }, { secret });
}

function startKeeper(): Running {
  const keeper = startLineSessions(SINK, 20);
  keepers.push(keeper);
  return keeper;
}

async function leases(): Promise<{ owner: string }[]> {
  return sql.runText({ text: "select owner from session_leases", values: [] });
}

test("one of several processes keeps the session, and another takes it over when the first stops", async () => {
  await connect("one");
  const first = startKeeper();
  await until(() => open.length === 1);
  startKeeper();
  const [before] = await leases();
  await first.stop();
  await until(async () => {
    const [lease] = await leases();
    return open.length === 1 && lease !== undefined && lease.owner !== before?.owner;
  });
  expect(open).toEqual(["one"]);
});

test("several processes that start at once open one session", async () => {
  await connect("one");
  for (let count = 0; count < 4; count++) startKeeper();
  await until(() => open.length > 0);
  await until(async () => (await leases()).length === 1);
  expect(open).toEqual(["one"]);
});

test("the session of a crashed process is opened by another one when the lease has ended", async () => {
  await connect("one");
  await sql.runText({
    text: `insert into session_leases (account_id, owner, lease_until)
           values ($1, gen_random_uuid(), now() + interval '1 hour')`,
    values: [account.ref.id],
  });
  startKeeper();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(open).toEqual([]);
  await sql.runText({
    text: "update session_leases set lease_until = now() - interval '1 second'",
    values: [],
  });
  await until(() => open.length === 1);
});

test("a line that is released, or whose lease another process took, has no session here", async () => {
  for (const end of [
    "update lines set released_at = now() where account_id = $1",
    `update session_leases set owner = gen_random_uuid(), lease_until = now() + interval '1 hour' where account_id = $1`,
  ]) {
    await sql.runText({
      text: "update lines set released_at = null where account_id = $1",
      values: [account.ref.id],
    });
    await connect("one");
    startKeeper();
    await until(() => open.length === 1);
    await sql.runText({ text: end, values: [account.ref.id] });
    await until(() => open.length === 0);
    // The next look lets go of an account whose last session has ended.
    await until(() => [sessionParameters().sessionAccounts].flat().length === 0);
  }
});

test("a new connection replaces the session, and one that can't be used is logged", async () => {
  await connect("one");
  startKeeper();
  await until(() => open.length === 1);
  await connect("two");
  await until(() => open[0] === "two");
  await connect("invalid");
  await until(() => open.length === 0);
  await until(() => logged.some((line) => line.includes("could not be opened")));
  const reason = "the session could not be opened: the settings are incomplete";
  expect(reported).toContainEqual({ type: "line", up: false, reason });
});

test("only the process that keeps the sessions sends the messages of a line", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await connect("one");
  const dispatch = startDispatch();
  try {
    const id = await acceptTestMessage(account, chatId);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(sent).toEqual([]);
    expect(sessionParameters()).toEqual({
      sessionTransports: expect.arrayContaining(["with-sessions"]),
      sessionAccounts: [],
    });
    startKeeper();
    await until(async () => (await readMessage(account, id)).delivery_status === "sent");
    expect(sent).toEqual([id]);
  } finally {
    await dispatch.stop();
  }
});
