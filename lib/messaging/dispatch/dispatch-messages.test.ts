import "@/lib/testing/use-test-database";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { allTransports, registerTransport } from "@/lib/adapters/transports/registry";
import { advanceMessage } from "@/lib/messaging/dispatch/advance-message";
import { Claimer } from "@/lib/messaging/dispatch/claim/claim-messages";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { storeAdvance } from "@/lib/messaging/dispatch/store-advance";
import { deleteMessage } from "@/lib/messaging/expiry/delete-message";
import { sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { changeLine } from "@/lib/simulator/lines/change-line";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  advanceClock,
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  freezeClock,
  readAs,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { copyChats } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";

let account: TestAccount;
let running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()));
  running = [];
  freezeClock(false);
});

/** Starts dispatchers and the transports' own loops. */
function start({ dispatchers = 1, sendTimeoutMs = 5000 } = {}): void {
  for (const transport of allTransports()) if (transport.start) running.push(transport.start(inboundSink));
  for (let count = 0; count < dispatchers; count++) running.push(startDispatch(sendTimeoutMs));
}

async function typesOf(messageId: string): Promise<string[]> {
  return (await eventsOfMessage(account, messageId)).map((event) => event.type);
}

async function setLine(isUp: boolean): Promise<void> {
  const input = { params: { phoneNumber: account.line }, query: undefined, body: { is_up: isUp } };
  await changeLine(account.context(), input);
}

/** Leaves the message in the state of a process that died while sending it. */
async function abandonClaim(messageId: string, of = account): Promise<void> {
  await sql.runText({
    text: `update messages set dispatch_attempts = 1, dispatch_lease_until = clock_timestamp() - interval '1 second'
           where account_id = $1 and id = $2`,
    values: [of.ref.id, messageId],
  });
}

test("a send whose outcome can't be asked during an outage of the database is asked again, and sent once", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  let asked = 0;
  let sent = 0;
  registerTransport({
    ...numericTransport,
    name: "away",
    outcome: async () => {
      if (++asked === 1) await sql.runText({ text: "select pg_terminate_backend(pg_backend_pid())" });
      return { state: "absent" };
    },
    send: async ({ id, service }) => {
      sent++;
      return { refs: [id], groupRef: null, service, isDelivered: false };
    },
  });
  await sql.runText({
    text: "update lines set transport = 'away' where account_id = $1",
    values: [own.ref.id],
  });
  const id = await acceptTestMessage(own, await createDirectChat(own, await createTestPhone(own)));
  await abandonClaim(id, own);
  start();
  await until(async () => asked === 1);
  await until(async () => {
    // Ends the lease of the attempt that failed. A message in progress would be sent twice without its lease.
    await sql.runText({
      text: `update messages set dispatch_lease_until = clock_timestamp() - interval '1 second'
             where account_id = $1 and id = $2 and dispatch_attempts = 2 and dispatch_lease_until is not null`,
      values: [own.ref.id, id],
    });
    return sent > 0;
  });
  await untilStatus(own, id, "sent");
  expect(sent).toBe(1);
});

test("a message whose line is down while its service is chosen waits, and is not sent over a lower one", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  let isDown = true;
  registerTransport({
    ...numericTransport,
    name: "starting",
    capabilityCacheSeconds: 0,
    async probe() {
      if (isDown) throw new AdapterError("line_down", "not connected yet");
      return "yes";
    },
    send: async ({ id, service }) => ({ refs: [id], groupRef: null, service, isDelivered: false }),
  });
  await sql.runText({
    text: "update lines set transport = 'starting' where account_id = $1",
    values: [own.ref.id],
  });
  freezeClock();
  start();
  const id = await acceptTestMessage(own, await createDirectChat(own, await createTestPhone(own)));
  await untilStatus(own, id, "queued");
  isDown = false;
  advanceClock(1);
  expect((await untilStatus(own, id, "sent")).service).toBe("iMessage");
});

describe("dispatch", () => {
  test("a message is sent, delivered and read, with one event each and their times", async () => {
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    start();

    const id = await acceptTestMessage(account, chatId, "one");
    await untilStatus(account, id, "delivered");
    await readAs(account, phone, chatId);
    const message = await untilStatus(account, id, "read");

    expect(message).toMatchObject({ service: "iMessage", is_delivered: true, is_read: true });
    expect([message.sent_at, message.delivered_at, message.read_at]).not.toContain(null);
    const events = await eventsOfMessage(account, id);
    expect(events.map((event) => event.type)).toEqual(["message.sent", "message.delivered", "message.read"]);
    const [sent, delivered, read] = events.map((event) => event.data.message);
    expect(sent).toMatchObject({ service: "iMessage", delivered_at: null, read_at: null });
    expect(delivered?.delivered_at).not.toBeNull();
    expect(delivered?.read_at).toBeNull();
    expect(read?.read_at).not.toBeNull();
  });

  test("all events of a message carry the trace of the request that sent it", async () => {
    const chatId = await createDirectChat(account, await createTestPhone(account));
    start();
    const id = await acceptTestMessage(account, chatId);
    await untilStatus(account, id, "delivered");
    const traces = new Set((await eventsOfMessage(account, id)).map((event) => event.trace_id));
    expect(traces.size).toBe(1);
  });

  test("two dispatchers send each message once, a chat's in order and never two at a time", async () => {
    const chats = await Promise.all(
      Array.from({ length: 5 }, async () => createDirectChat(account, await createTestPhone(account))),
    );
    const sent = await Promise.all(
      chats.map(async (chatId) => {
        const ids: string[] = [];
        for (let count = 0; count < 12; count++)
          ids.push(await acceptTestMessage(account, chatId, `${count}`));
        return ids;
      }),
    );
    start({ dispatchers: 2 });
    await Promise.all(sent.flat().map((id) => untilStatus(account, id, "delivered")));

    for (const ids of sent) {
      const rows = await sql.runText<{
        id: string;
        attempts: number;
        sent_at: Date;
        taken_at: Date;
        events: number;
      }>({
        text: `select m.id, m.dispatch_attempts as attempts, m.sent_at, s.created_at as taken_at,
                 (select count(*)::int from events e where e.account_id = m.account_id and e.message_id = m.id
                    and e.type = 'message.sent') as events
               from messages m join simulator_messages s on s.account_id = m.account_id and s.ref = m.id::text
               where m.account_id = $1 and m.id = any($2::uuid[]) order by m.id`,
        values: [account.ref.id, ids],
      });
      expect(rows.map((row) => row.id)).toEqual(ids);
      expect(rows.every((row) => row.attempts === 1 && row.events === 1)).toBe(true);
      for (const [index, row] of rows.entries()) {
        const before = rows[index - 1];
        if (before) expect(row.taken_at.getTime()).toBeGreaterThanOrEqual(before.sent_at.getTime());
      }
    }
  });

  test("a stored result says whether other messages of the chat are waiting", async () => {
    const chatId = await createDirectChat(account, await createTestPhone(account));
    const ids = [
      await acceptTestMessage(account, chatId, "one"),
      await acceptTestMessage(account, chatId, "two"),
    ];
    const claimer = new Claimer(32);
    const results: unknown[] = [];
    for (const id of ids) {
      const was = (await claimer.claim(100)).find((message) => message.id === id);
      if (was === undefined) throw new Error("not claimed");
      const at = now();
      const advance = advanceMessage(was, { type: "sent", at, service: "iMessage" });
      const result = { was, advance, attempt: was.attempt, dispatchAt: null, refs: [id], groupRef: null, at };
      results.push(await storeAdvance(result));
      claimer.release(was);
    }
    expect(results).toEqual([{ chatHasMore: true }, { chatHasMore: false }]);
  });

  test("every chat gets its turn when more chats wait than one look takes in", async () => {
    const template = await createDirectChat(
      account,
      await createTestPhone(account, { platform: "sms_only" }),
    );
    const ids = await copyChats(account, template, 620);
    start();
    await until(async () => {
      const [row] = await sql.runText<{ sent: number }>({
        text: "select count(*)::int as sent from messages where account_id = $1 and id = any($2::uuid[]) and delivery_status = 'sent'",
        values: [account.ref.id, ids],
      });
      return row?.sent === ids.length;
    });
  });

  test("a message whose process died is asked for, not sent again", async () => {
    const phone = await createTestPhone(account, { delay_ms: 60_000 });
    const chatId = await createDirectChat(account, phone);
    const id = await acceptTestMessage(account, chatId);
    start();
    await untilStatus(account, id, "sent");
    await Promise.all(running.splice(0).map((part) => part.stop()));
    await sql.runText({
      text: "update messages set delivery_status = 'pending', sent_at = null, dispatch_at = created_at where account_id = $1 and id = $2",
      values: [account.ref.id, id],
    });
    await abandonClaim(id);
    // A second send would be rejected, but the network confirms that it has the message.
    await changeTestPhone(account, phone, { fault: "rejected" });

    start();
    const message = await untilStatus(account, id, "sent");
    expect(message.service).toBe("iMessage");
  });

  test("a message that died before it left is sent", async () => {
    const chatId = await createDirectChat(account, await createTestPhone(account));
    const id = await acceptTestMessage(account, chatId);
    await abandonClaim(id);
    start();
    await untilStatus(account, id, "delivered");
  });

  test("a lease that has not ended is left alone", async () => {
    const chatId = await createDirectChat(account, await createTestPhone(account));
    const id = await acceptTestMessage(account, chatId);
    await sql.runText({
      text: `update messages set dispatch_attempts = 1, dispatch_lease_until = clock_timestamp() + interval '1 minute'
             where account_id = $1 and id = $2`,
      values: [account.ref.id, id],
    });
    const other = await acceptTestMessage(
      account,
      await createDirectChat(account, await createTestPhone(account)),
    );
    start();
    await untilStatus(account, other, "delivered");
    expect(await typesOf(id)).toEqual([]);
    await abandonClaim(id);
  });

  test("a send without a confirmed answer fails with 4006, until a late receipt proves the message sent", async () => {
    const phone = await createTestPhone(account, { fault: "lost_answer", delay_ms: 60_000 });
    const chatId = await createDirectChat(account, phone);
    start();
    const id = await acceptTestMessage(account, chatId);
    await untilStatus(account, id, "failed");
    const [failed] = await eventsOfMessage(account, id);
    expect(failed).toMatchObject({ type: "message.failed", data: { failure: { code: 4006 } } });

    advanceClock(61);
    const message = await untilStatus(account, id, "delivered");
    expect(message.sent_at).not.toBeNull();
    expect(await typesOf(id)).toEqual(["message.failed", "message.sent", "message.delivered"]);
  });

  test("a slow answer is asked for and the message sent once", async () => {
    const phone = await createTestPhone(account, { fault: "slow_answer" });
    const chatId = await createDirectChat(account, phone);
    start({ sendTimeoutMs: 3000 });
    const id = await acceptTestMessage(account, chatId);
    await untilStatus(account, id, "delivered");
    expect(await typesOf(id)).toEqual(["message.sent", "message.delivered"]);
  });

  test.each([
    ["rejected", 4007],
    ["unsupported", 4005],
    ["unreachable", 4001],
    ["not_eligible", 4008],
  ] as const)("a phone that is %s fails at once with %i", async (fault, code) => {
    const chatId = await createDirectChat(account, await createTestPhone(account, { fault }));
    start();
    const id = await acceptTestMessage(account, chatId);
    await untilStatus(account, id, "failed");
    const events = await eventsOfMessage(account, id);
    expect(events.map((event) => [event.type, event.data.failure?.code])).toEqual([["message.failed", code]]);
  });

  test("fails a message with 4001 that the network took and could not deliver", async () => {
    const chatId = await createDirectChat(
      account,
      await createTestPhone(account, { fault: "undeliverable" }),
    );
    start();
    const id = await acceptTestMessage(account, chatId);
    await untilStatus(account, id, "failed");
    const events = await eventsOfMessage(account, id);
    expect(events.map((event) => event.type)).toEqual(["message.sent", "message.failed"]);
    expect(events[1]?.data.failure?.code).toBe(4001);
  });

  test.each([
    ["lost_send", "pending", 3007],
    ["rate_limited", "pending", 3007],
    ["line_down", "queued", 4002],
  ] as const)(
    "a phone with %s is tried again, %s meanwhile, and fails with %i in the end",
    async (fault, meanwhile, code) => {
      const phone = await createTestPhone(account, { fault });
      const chatId = await createDirectChat(account, phone);
      freezeClock();
      start();
      const id = await acceptTestMessage(account, chatId);
      for (let attempt = 1; attempt < 5; attempt++) {
        await until(async () => (await attemptsOf(id)) === attempt);
        await untilStatus(account, id, meanwhile);
        advanceClock(11);
      }
      await untilStatus(account, id, "failed");
      const events = await eventsOfMessage(account, id);
      expect(events.map((event) => [event.type, event.data.failure?.code])).toEqual([
        ["message.failed", code],
      ]);
    },
  );

  test("a message tried again goes out when the fault is over, and the next waits for it", async () => {
    const phone = await createTestPhone(account, { fault: "lost_send" });
    const chatId = await createDirectChat(account, phone);
    freezeClock();
    start();
    const first = await acceptTestMessage(account, chatId, "first");
    const second = await acceptTestMessage(account, chatId, "second");
    await until(async () => (await attemptsOf(first)) === 1);
    expect(await attemptsOf(second)).toBe(0);

    await changeTestPhone(account, phone, { fault: null });
    advanceClock(2);
    await Promise.all([first, second].map((id) => untilStatus(account, id, "delivered")));
    expect(await typesOf(first)).toEqual(["message.sent", "message.delivered"]);
  });

  test("while the line is down messages are queued; they go out in order when it is up", async () => {
    const chatId = await createDirectChat(account, await createTestPhone(account));
    const waiting = await acceptTestMessage(account, chatId, "before");
    await setLine(false);
    start();
    const during = await acceptTestMessage(account, chatId, "during");
    await untilStatus(account, waiting, "queued");
    await untilStatus(account, during, "queued");
    expect(await attemptsOf(waiting)).toBe(0);

    await setLine(true);
    const [first, second] = await Promise.all(
      [waiting, during].map((id) => untilStatus(account, id, "delivered")),
    );
    expect(Date.parse(first?.sent_at ?? "")).toBeLessThanOrEqual(Date.parse(second?.sent_at ?? ""));
    expect(await typesOf(during)).toEqual(["message.sent", "message.delivered"]);
  });

  test("a message deleted before its turn is not sent", async () => {
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    const deleted = await acceptTestMessage(account, chatId, "deleted");
    const input = { params: { messageId: deleted }, query: undefined, body: undefined };
    await deleteMessage(account.context(), input);
    const next = await acceptTestMessage(account, chatId, "next");
    start();
    await untilStatus(account, next, "delivered");
    expect(await typesOf(deleted)).toEqual([]);
    const arrived = await sql.runText<{ ref: string }>({
      text: "select ref from simulator_messages where account_id = $1 and handle = $2 and sender <> handle",
      values: [account.ref.id, phone],
    });
    expect(arrived.map((row) => row.ref)).toEqual([next]);
  });

  test.each([
    ["iphone", "iMessage", "delivered", ["message.sent", "message.delivered"]],
    ["android_rcs", "RCS", "delivered", ["message.sent", "message.delivered"]],
    ["sms_only", "SMS", "sent", ["message.sent"]],
  ] as const)(
    "a phone that is %s is reached over %s and ends %s",
    async (platform, service, status, types) => {
      const phone = await createTestPhone(account, { platform, read_receipts: false, read_after_ms: 0 });
      const chatId = await createDirectChat(account, phone);
      start();
      const id = await acceptTestMessage(account, chatId);
      await until(async () => (await arrivalOf(id))?.read_at);
      const message = await untilStatus(account, id, status);
      expect(message.service).toBe(service);
      expect(await typesOf(id)).toEqual(types);
    },
  );

  test("a group gets message.sent only, over the service all of it has", async () => {
    const ann = await createTestPhone(account, { read_after_ms: 0 });
    const bob = await createTestPhone(account, { platform: "android_rcs", read_after_ms: 0 });
    const { chatId } = await writeAs(account, ann, { to: account.line, text: "hi all", also_to: [bob] });
    await writeAs(account, bob, { to: chatId, text: "hi" });
    start();
    const id = await acceptTestMessage(account, chatId);
    await until(async () => (await arrivalOf(id))?.read_at);
    const message = await untilStatus(account, id, "sent");
    expect(message.service).toBe("SMS");
    expect(await typesOf(id)).toEqual(["message.sent"]);
  });

  test("a preferred service is never exceeded", async () => {
    const chatId = await createDirectChat(account, await createTestPhone(account));
    start();
    const id = await acceptTestMessage(account, chatId, "plain", { preferred_service: "SMS" });
    expect((await untilStatus(account, id, "sent")).service).toBe("SMS");
  });
});

/** The number of attempts of a message, after the last attempt has a response. */
async function attemptsOf(messageId: string): Promise<number> {
  const [row] = await sql.runText<{ attempts: number }>({
    text: `select dispatch_attempts as attempts from messages
           where account_id = $1 and id = $2 and dispatch_lease_until is null`,
    values: [account.ref.id, messageId],
  });
  return row?.attempts ?? -1;
}

async function arrivalOf(messageId: string): Promise<{ read_at: Date | null } | undefined> {
  const [row] = await sql.runText<{ read_at: Date | null }>({
    text: "select read_at from simulator_messages where account_id = $1 and ref = $2 order by read_at nulls first limit 1",
    values: [account.ref.id, messageId],
  });
  return row;
}
