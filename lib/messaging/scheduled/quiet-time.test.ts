import "@/lib/testing/use-test-database";

import { beforeEach, describe, expect, test } from "vitest";
import * as MESSAGES from "@/app/api/chats/[chatId]/messages/route";
import * as ZONE from "@/app/api/customers/[handle]/time-zone/route";
import * as SCHEDULED from "@/app/api/scheduled-messages/[messageId]/route";
import { storeAccountOptions, updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import type { QuietHours } from "@/lib/platform/time/quiet-hours";
import {
  createScheduledBench,
  DAY_S,
  HOUR_S,
  inSeconds,
  runDue,
  textOf,
  toSecond,
} from "@/lib/testing/conversations/scheduled-bench";
import type { TestAccount } from "@/lib/testing/create-test-account";
import { recordStatements } from "@/lib/testing/database/record-statements";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { createTestPhone, eventsOfMessage, writeAs } from "@/lib/testing/factories";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

/** The numbers of test phones name no zone, so it is that of the account. */
const NIGHT: QuietHours = { from: "21:00", to: "08:00", time_zone: "Etc/UTC", action: "hold" };

const bench = createScheduledBench();
const { advance, call, send, statusOf, uploadWav } = bench;

let account: TestAccount;
let phone: string;
let chatId: string;

beforeEach(() => {
  ({ account, phone, chatId } = bench.current());
});

/** Advances the clock to a full hour of a coming day in UTC, at least two hours ahead. */
function advanceTo(hour: number): void {
  const ofDay = Math.floor(now().getTime() / 1000) % DAY_S;
  let seconds = hour * HOUR_S - ofDay;
  while (seconds < 2 * HOUR_S) seconds += DAY_S;
  advance(seconds);
}

const setQuiet = (quiet_hours: QuietHours | null) =>
  updateAccountOptions(account.context(), { body: { quiet_hours } });
const waiting = async () => (await call("GET /v3/scheduled_messages")).body.scheduled_messages;

/** The next full hour in UTC, as the API writes it. */
function nextAt(hour: number): string {
  const day = Math.floor(now().getTime() / 1000 / DAY_S) * DAY_S;
  const at = day + hour * HOUR_S;
  return new Date((at * 1000 > now().getTime() ? at : at + DAY_S) * 1000).toISOString();
}

/** Sets the time zone of the phone's owner, as a colleague. */
async function setZone(time_zone: string | null) {
  const person = await signInAs(account, "support");
  return person.call(ZONE.PUT, { method: "PUT", params: { handle: phone }, body: { time_zone } });
}

test("without quiet hours, and for people, a send runs no statement for them", async () => {
  const asks = async (work: () => Promise<unknown>) =>
    (await recordStatements(work)).some(({ text }) => text.includes("scheduled_messages"));
  const person = await signInAs(account, "support");
  const sendAsPerson = async () => {
    const body = { message: textOf("from a person at night", { idempotency_key: "person" }) };
    const answer = await person.call(MESSAGES.POST, { method: "POST", params: { chatId }, body });
    expect(answer.status).toBe(202);
    expect(answer.body.message.send_at).toBe(undefined);
  };
  expect(await asks(() => send("off", {}, { idempotency_key: "off" }))).toBe(false);
  await setQuiet(NIGHT);
  advanceTo(23);
  expect(await asks(() => send("on", {}, { idempotency_key: "on" }))).toBe(true);
  expect(await asks(sendAsPerson)).toBe(false);
});

describe("at night", () => {
  beforeEach(async () => {
    await setQuiet(NIGHT);
    advanceTo(23);
  });

  test("every kind of send waits for the end of the quiet hours, with that time in its answer", async () => {
    const { attachment_id } = await uploadWav();
    const other = await createTestPhone(account);
    const answers = [
      (await send("to the chat")).body.message,
      (await call(`POST /v3/chats/${chatId}/voicememo`, { attachment_id })).body.voice_memo,
      (await call("POST /v3/messages", { to: [phone], message: textOf("from the best line") })).body.message,
      (await call("POST /v3/messages", { to: [other], message: textOf("from the best line") })).body.message,
      (await call("POST /v3/chats", { from: account.line, to: [phone], message: textOf("into a chat") })).body
        .chat?.message,
      (await send("for later", { send_at: inSeconds(HOUR_S) })).body.message,
    ];
    expect(answers.map((answer) => answer?.send_at)).toEqual(Array(6).fill(nextAt(8)));
    const atNine = new Date(Date.parse(nextAt(8)) + HOUR_S * 1000).toISOString();
    expect((await send("after the night", { send_at: atNine })).body.message.send_at).toBe(atNine);

    advanceTo(8);
    await runDue();
    expect(await waiting()).toHaveLength(1);
    const statuses = await Promise.all(answers.map(({ id }) => statusOf(id)));
    // In a sandbox, a recipient who never wrote can't be written to.
    expect(statuses.map((status) => status === "failed")).toEqual([false, false, false, true, false, false]);
  });

  test("a send that asks to be refused, or an account that refuses, gets 2035 with the end of the quiet hours", async () => {
    const { status, body } = await send("refused", { quiet_hours: "refuse" });
    expect(status).toBe(409);
    expect(body.error.code).toBe(2035);
    expect(body.error.message).toContain(
      `it is 23:00 for a recipient, whose quiet hours end at ${nextAt(8)}`,
    );
    await setQuiet({ ...NIGHT, action: "refuse" });
    expect((await send("refused")).body.error.code).toBe(2035);
    expect((await send("held", { quiet_hours: "hold" })).body.message.send_at).toBe(nextAt(8));
    expect((await send("a code", { quiet_hours: "ignore" })).body.message.send_at).toBe(undefined);
    expect((await send("wrong", { quiet_hours: "later" })).body.error.code).toBe(1005);
  });

  test("an answer within an hour of the recipient's last message is sent", async () => {
    await writeAs(account, phone, { to: account.line, text: "Are you still open?" });
    expect((await send("Until midnight")).body.message.send_at).toBe(undefined);
    advance(HOUR_S + 1);
    expect((await send("Good night")).body.message.send_at).toBe(nextAt(8));
  });

  test("the clock is that of the person, if a colleague set it", async () => {
    expect((await setZone("America/Los_Angeles")).status).toBe(204);
    expect((await send("It is afternoon there")).body.message.send_at).toBe(undefined);
    expect((await setZone("Mars/Olympus")).body.error.code).toBe(1005);
    expect((await setZone(null)).status).toBe(204);
    expect((await send("It is night")).body.message.send_at).toBe(nextAt(8));
  });

  test("a repeated key returns the message that is held, also after the night", async () => {
    const first = (await send("once", {}, { idempotency_key: "order-1" })).body;
    expect((await send("once", {}, { idempotency_key: "order-1" })).body).toEqual(first);
    advanceTo(9);
    expect((await send("once", {}, { idempotency_key: "order-1" })).body.message.id).toBe(first.message.id);
    await runDue();
    expect((await send("once", {}, { idempotency_key: "order-1" })).body.message.id).toBe(first.message.id);
  });

  test("a dry run tells the recipient's time and what would happen, to people too", async () => {
    const dry = (more: object = {}) =>
      call(`POST /v3/chats/${chatId}/messages?dry_run=true`, { message: textOf("dry"), ...more });
    const quiet_hours = { local_time: "23:00", until: nextAt(8) };
    expect((await dry()).body).toMatchObject({ would_send: true, quiet_hours });
    const refused = (await dry({ quiet_hours: "refuse" })).body;
    expect(refused).toMatchObject({ would_send: false, quiet_hours });
    const { message } = (await send("refused", { quiet_hours: "refuse" })).body.error;
    expect(refused.checks).toContainEqual({ check: "recipient", passed: false, code: 2035, message });
    expect((await dry({ quiet_hours: "ignore" })).body.quiet_hours).toBe(undefined);
    expect(await waiting()).toEqual([]);
    const person = await signInAs(account, "support");
    const { body } = await person.call(MESSAGES.POST, {
      method: "POST",
      params: { chatId },
      query: { dry_run: "true" },
      body: { message: textOf("dry") },
    });
    expect(body).toMatchObject({ would_send: true, quiet_hours });
  });
});

test("quiet hours are evaluated again when a message is due: it is held with its id, refused, or sent", async () => {
  advanceTo(12);
  const later = { send_at: inSeconds(11 * HOUR_S) };
  const held = (await send("held", later)).body.message.id;
  const refused = (await send("refused", { ...later, quiet_hours: "refuse" })).body.message.id;
  const ignored = (await send("ignored", { ...later, quiet_hours: "ignore" })).body.message.id;
  const person = await signInAs(account, "support");
  const body = { message: textOf("from a person"), ...later };
  const byPerson = await person.call(MESSAGES.POST, { method: "POST", params: { chatId }, body });
  await setQuiet(NIGHT);
  advanceTo(23);
  await runDue();

  expect(await waiting()).toMatchObject([{ id: held, send_at: nextAt(8) }]);
  expect(await statusOf(refused)).toBe("failed");
  const failed = (await eventsOfMessage(account, refused)).find(({ type }) => type === "message.failed");
  expect(JSON.stringify(failed)).toContain("2035");
  for (const id of [ignored, byPerson.body.message.id]) expect(await statusOf(id)).not.toBe("failed");
  await setQuiet(null);
  advance(10);
  await runDue();
  expect(await waiting()).toEqual([]);
  expect(await statusOf(held)).not.toBe("failed");
});

describe("after the night", () => {
  beforeEach(async () => {
    await setQuiet(NIGHT);
    advanceTo(23);
  });

  const sendMany = async (count: number) => {
    const ids: string[] = [];
    for (let at = 0; at < count; at++) ids.push((await send(`held ${at}`)).body.message.id);
    return ids;
  };
  /** The messages of the chat in the order in which they were sent. */
  const sentIds = async () => {
    const rows = await sql.runText<{ id: string }>({
      text: `select m.id from messages m join events e on e.account_id = m.account_id and e.message_id = m.id
        where m.chat_id = $1 and m.is_from_me and m.delivery_status <> 'failed' and e.type = 'message.accepted' order by e.seq`,
      values: [chatId],
    });
    return rows.map(({ id }) => id);
  };

  test("more held messages than the limit to one recipient allows arrive in order, at the pace of the limit", async () => {
    await prisma().account.update({ where: { id: account.ref.id }, data: { pairMessages: 30 } });
    const ids = await sendMany(40);
    advanceTo(8);
    await runDue();
    expect(await sentIds()).toEqual(ids.slice(0, 30));
    const waits = await waiting();
    expect(waits.map(({ id }: { id: string }) => id)).toEqual(ids.slice(30));
    advance(62);
    await runDue();
    expect((await sentIds()).length).toBeLessThan(35);
    for (let tries = 0; tries < 20; tries++) {
      advance(2);
      await runDue();
    }
    expect(await sentIds()).toEqual(ids);
    expect(await waiting()).toEqual([]);
  });

  test("held messages that a change releases early keep to the limit of a minute, and others' sends wait for that minute only", async () => {
    await prisma().account.update({ where: { id: account.ref.id }, data: { pairMessages: 30 } });
    const ids = await sendMany(40);
    await setQuiet(null);
    advance(10);
    await runDue();
    expect(await sentIds()).toEqual(ids.slice(0, 30));
    // They were due after 6 of the 10 seconds.
    expect((await send("too many")).body.error).toMatchObject({ code: 1007, retry_after: 56 });
    advance(55);
    await runDue();
    expect((await sentIds()).length).toBe(30);
    for (let tries = 0; tries < 15; tries++) {
      advance(2);
      await runDue();
    }
    expect(await sentIds()).toEqual(ids);
    expect((await send("behind them")).status).toBe(202);
    // Their ids begin with this time.
    advanceTo(8);
    expect((await send("in the morning")).status).toBe(202);
  });

  test("over the limit of the day, they wait for the next day, and fail when two days have passed", async () => {
    await prisma().account.update({ where: { id: account.ref.id }, data: { dailyMessages: 1 } });
    const [first = "", second = "", third = "", fourth = ""] = await sendMany(4);
    advanceTo(8);
    await runDue();
    expect(await waiting()).toMatchObject([{ id: second }, { id: third }, { id: fourth }]);
    expect(await sentIds()).toEqual([first]);
    // Midnight is in the quiet hours, so they wait for their end again.
    for (const sent of [[second], [second, third]]) {
      advanceTo(0);
      advance(10);
      await runDue();
      advanceTo(8);
      advance(10);
      await runDue();
      expect(await sentIds()).toEqual([first, ...sent]);
    }
    expect(await statusOf(fourth)).toBe("failed");
  });

  test("a person's time is kept, by day and by night", async () => {
    const [held = "", other = ""] = await sendMany(2);
    const person = await signInAs(account, "support");
    const change = (messageId: string, send_at: string) =>
      person.call(SCHEDULED.PATCH, { method: "PATCH", params: { messageId }, body: { send_at } });
    const moved = (await change(held, now().toISOString())).body.id;
    const later = (await change(other, inSeconds(HOUR_S))).body.id;
    await runDue();
    expect(await statusOf(moved)).not.toBe("failed");
    expect(await waiting()).toMatchObject([{ id: later }]);
    advance(HOUR_S);
    await runDue();
    expect(await waiting()).toEqual([]);
  });

  test("every kind of send by a program, except a code, waits behind due messages", async () => {
    const { attachment_id } = await uploadWav();
    const [held = ""] = await sendMany(1);
    advanceTo(9);
    const message = textOf("in the morning");
    const behind = [
      (await send("in the morning")).body.message,
      (await call("POST /v3/chats", { from: account.line, to: [phone], message })).body.chat.message,
      (await call("POST /v3/messages", { to: [phone], message })).body.message,
      (await call(`POST /v3/chats/${chatId}/voicememo`, { attachment_id })).body.voice_memo,
    ];
    expect(behind.map(({ send_at }) => send_at)).toEqual(Array(4).fill(toSecond(inSeconds(0))));
    const code = (await send("a code", { quiet_hours: "ignore" })).body.message;
    expect(code.send_at).toBe(undefined);
    await runDue();
    expect(await sentIds()).toEqual([code.id, held, ...behind.map(({ id }) => id)]);
    expect((await send("later in the morning")).body.message.send_at).toBe(undefined);
  });

  test("a message that is held again when it is due leaves what was written meanwhile unread", async () => {
    const [held = ""] = await sendMany(1);
    advance(HOUR_S);
    await writeAs(account, phone, { to: account.line, text: "And on Sunday?" });
    advanceTo(7);
    await setQuiet({ ...NIGHT, to: "10:00" });
    advance(10);
    await runDue();
    expect(await waiting()).toMatchObject([{ id: held, send_at: nextAt(10) }]);
    advanceTo(10);
    await runDue();
    const sent = await prisma().message.findFirstOrThrow({ where: { id: held } });
    expect(sent.leavesUnread).toBe(true);
  });

  describe("a change of quiet hours or of the person's zone", () => {
    test("evaluates again what they hold", async () => {
      const [held = ""] = await sendMany(1);
      const keyed = (await send("once", {}, { idempotency_key: "order-2" })).body.message.id;
      await setZone("Europe/Berlin");
      await runDue();
      const sevenUtc = await waiting();
      expect(sevenUtc.map(({ id }: { id: string }) => id)).toEqual([held, keyed]);
      expect(sevenUtc[0].send_at < nextAt(8)).toBe(true);

      await setQuiet(null);
      advance(10);
      await runDue();
      expect(await waiting()).toEqual([]);
      expect(await sentIds()).toEqual([held, keyed]);
      expect((await send("once", {}, { idempotency_key: "order-2" })).body.message.id).toBe(keyed);
    });

    test("sends no message before the time that it asked for", async () => {
      const changes = [
        () => setQuiet({ ...NIGHT, to: "10:00" }),
        () => setZone("Asia/Tokyo"),
        () => setQuiet(null),
      ];
      let id = "";
      const send_at = inSeconds(2 * DAY_S);
      for (const change of changes) {
        if (id !== "") await call(`DELETE /v3/scheduled_messages/${id}`);
        const { message } = (await send("in two days", { send_at })).body;
        expect(message.send_at > send_at).toBe(true);
        id = message.id;
        await change();
        advance(10);
        await runDue();
        expect(await waiting()).toMatchObject([{ id, send_at: toSecond(send_at) }]);
      }
      advance(2 * DAY_S);
      await runDue();
      expect(await sentIds()).toEqual([id]);
    });

    test("does not move what is not held", async () => {
      const { id, send_at } = (await send("at noon", { send_at: inSeconds(13 * HOUR_S) })).body.message;
      await setQuiet(null);
      advance(10);
      await runDue();
      expect(await waiting()).toMatchObject([{ id, send_at }]);
    });

    test("does not refuse what was accepted as held", async () => {
      const [held = ""] = await sendMany(1);
      const later = (await send("in two days", { send_at: inSeconds(2 * DAY_S) })).body.message.id;
      await setQuiet({ ...NIGHT, action: "refuse" });
      advance(10);
      await runDue();
      expect(await waiting()).toMatchObject([{ id: held, send_at: nextAt(8) }, { id: later }]);
      expect((await send("a new one")).body.error.code).toBe(2035);
      advance(2 * DAY_S);
      await runDue();
      expect(await waiting()).toMatchObject([{ id: held }, { id: later, send_at: nextAt(8) }]);
      advanceTo(8);
      await runDue();
      expect(await sentIds()).toEqual([held, later]);
    });

    test("releases what is held before sends of now", async () => {
      const [held = ""] = await sendMany(1);
      await setQuiet({ ...NIGHT, from: "02:00" });
      const { id, send_at } = (await send("at once")).body.message;
      expect(send_at).toBe(toSecond(inSeconds(6)));
      await runDue();
      expect(await sentIds()).toEqual([]);
      advance(10);
      await runDue();
      expect(await sentIds()).toEqual([held, id]);
      expect((await send("later")).body.message.send_at).toBe(undefined);
    });

    test("releases a send, too, that was planned before it and is stored after it", async () => {
      const changed = Promise.withResolvers<void>();
      const stored = Promise.withResolvers<void>();
      const changing = transaction(async (tx) => {
        await storeAccountOptions(tx, account.context(), { quiet_hours: null });
        changed.resolve();
        await stored.promise;
      });
      await changed.promise;
      const sending = send("in between");
      const ended = await Promise.race([sending, untilLocked("from accounts")]);
      stored.resolve();
      await changing;
      expect(ended).toBe("waits");
      const { id, send_at } = (await sending).body.message;
      expect(send_at).toBe(toSecond(inSeconds(6)));
      advance(10);
      await runDue();
      expect(await sentIds()).toEqual([id]);
    });
  });
});
