import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as MESSAGES from "@/app/api/chats/[chatId]/messages/route";
import * as ZONE from "@/app/api/customers/[handle]/time-zone/route";
import * as SCHEDULED from "@/app/api/scheduled-messages/[messageId]/route";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { claimDueMessages, sendDueMessage } from "@/lib/messaging/scheduled/send-due-messages";
import { prisma, sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import type { QuietHours } from "@/lib/platform/time/quiet-hours";
import { callApi } from "@/lib/testing/call-api";
import { uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import {
  advanceClock,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  freezeClock,
  writeAs,
} from "@/lib/testing/factories";
import { sampleWav } from "@/lib/testing/samples/file-samples";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

const HOUR_S = 3600;
const DAY_S = 86_400;
/** The numbers of test phones name no zone, so it is that of the account. */
const NIGHT: QuietHours = { from: "21:00", to: "08:00", time_zone: "Etc/UTC", action: "hold" };

let account: TestAccount;
let phone: string;
let chatId: string;
let advanced = 0;

beforeEach(async () => {
  freezeClock();
  account = await createTestAccount({ type: "sandbox" });
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
});

afterEach(async () => {
  await sql.runText({ text: "delete from scheduled_messages", values: [] });
  advanceClock(-advanced);
  advanced = 0;
  freezeClock(false);
});

/** Advances the clock to a full hour of a coming day in UTC, at least two hours ahead. */
function advanceTo(hour: number): void {
  const ofDay = Math.floor(now().getTime() / 1000) % DAY_S;
  let seconds = hour * HOUR_S - ofDay;
  while (seconds < 2 * HOUR_S) seconds += DAY_S;
  advanced += seconds;
  advanceClock(seconds);
}

const setQuiet = (quiet_hours: QuietHours | null) =>
  updateAccountOptions(account.context(), { body: { quiet_hours } });
const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });
const textOf = (value: string, more: object = {}) => ({ parts: [{ type: "text", value }], ...more });
const send = (text: string, more: object = {}, content: object = {}) =>
  call(`POST /v3/chats/${chatId}/messages`, { message: textOf(text, content), ...more });
const waiting = async () => (await call("GET /v3/scheduled_messages")).body.scheduled_messages;

/** The next full hour in UTC, as the API writes it. */
function nextAt(hour: number): string {
  const day = Math.floor(now().getTime() / 1000 / DAY_S) * DAY_S;
  const at = day + hour * HOUR_S;
  return new Date((at * 1000 > now().getTime() ? at : at + DAY_S) * 1000).toISOString();
}

async function runDue(): Promise<void> {
  for (let due = await claimDueMessages(10); due.length > 0; due = await claimDueMessages(10)) {
    await Promise.all(due.map(sendDueMessage));
  }
}

const statusOf = async (id: string) => (await call(`GET /v3/messages/${id}`)).body.delivery_status;

test("without quiet hours, and for people, a send runs the statements that it ran before", async () => {
  await send("warm");
  const off = await countStatements(() => send("off"));
  await setQuiet(NIGHT);
  advanceTo(23);
  await send("ignored", { quiet_hours: "ignore" });
  const person = await signInAs(account, "support");
  const { status, body } = await person.call(MESSAGES.POST, {
    method: "POST",
    params: { chatId },
    body: { message: textOf("from a person at night") },
  });
  expect(status).toBe(202);
  expect(body.message.send_at).toBe(undefined);
  await setQuiet(null);
  await send("warm again");
  expect(await countStatements(() => send("off again"))).toEqual(off);
});

describe("at night", () => {
  beforeEach(async () => {
    await setQuiet(NIGHT);
    advanceTo(23);
  });

  test("every kind of send waits for the end of the quiet hours, with that time in its answer", async () => {
    const wav = sampleWav(1500);
    const declared = { filename: "memo.wav", content_type: "audio/x-wav", size_bytes: wav.length };
    const upload = (await call("POST /v3/attachments", declared)).body;
    await uploadFile(upload, wav);
    const other = await createTestPhone(account);
    const answers = [
      (await send("to the chat")).body.message,
      (await call(`POST /v3/chats/${chatId}/voicememo`, { attachment_id: upload.attachment_id })).body
        .voice_memo,
      (await call("POST /v3/messages", { to: [phone], message: textOf("from the best line") })).body.message,
      (await call("POST /v3/messages", { to: [other], message: textOf("from the best line") })).body.message,
      (await call("POST /v3/chats", { from: account.line, to: [phone], message: textOf("into a chat") })).body
        .chat?.message,
      (await send("for later", { send_at: new Date(now().getTime() + HOUR_S * 1000).toISOString() })).body
        .message,
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
    advanced += HOUR_S + 1;
    advanceClock(HOUR_S + 1);
    expect((await send("Good night")).body.message.send_at).toBe(nextAt(8));
  });

  test("the clock is that of the person, if a colleague set it", async () => {
    const person = await signInAs(account, "support");
    const set = (time_zone: string | null) =>
      person.call(ZONE.PUT, { method: "PUT", params: { handle: phone }, body: { time_zone } });
    expect((await set("America/Los_Angeles")).status).toBe(204);
    expect((await send("It is afternoon there")).body.message.send_at).toBe(undefined);
    expect((await set("Mars/Olympus")).body.error.code).toBe(1005);
    expect((await set(null)).status).toBe(204);
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
    expect(refused.checks).toContainEqual(expect.objectContaining({ check: "recipient", code: 2035 }));
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

test("quiet hours are judged again when a message is due: it is held with its id, refused, or sent", async () => {
  advanceTo(12);
  const later = { send_at: new Date(now().getTime() + 11 * HOUR_S * 1000).toISOString() };
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
  advanceTo(8);
  await runDue();
  expect(await waiting()).toEqual([]);
  expect(await statusOf(held)).not.toBe("failed");
});

describe("after the night", () => {
  beforeEach(async () => {
    await setQuiet(NIGHT);
    advanceTo(23);
  });

  const forward = (seconds: number) => {
    advanced += seconds;
    advanceClock(seconds);
  };
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
    forward(62);
    await runDue();
    expect((await sentIds()).length).toBeLessThan(35);
    for (let tries = 0; tries < 20; tries++) {
      forward(2);
      await runDue();
    }
    expect(await sentIds()).toEqual(ids);
    expect(await waiting()).toEqual([]);
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
      forward(10);
      await runDue();
      advanceTo(8);
      forward(10);
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
    const later = (await change(other, new Date(now().getTime() + HOUR_S * 1000).toISOString())).body.id;
    await runDue();
    expect(await statusOf(moved)).not.toBe("failed");
    expect(await waiting()).toMatchObject([{ id: later }]);
    forward(HOUR_S);
    await runDue();
    expect(await waiting()).toEqual([]);
  });

  test("a program's send does not overtake what is due, a code does", async () => {
    const [held = ""] = await sendMany(1);
    advanceTo(9);
    const behind = (await send("in the morning")).body.message;
    expect(behind.send_at).toBe(new Date(Math.floor(now().getTime() / 1000) * 1000).toISOString());
    const code = (await send("a code", { quiet_hours: "ignore" })).body.message;
    expect(code.send_at).toBe(undefined);
    await runDue();
    const sent = await sentIds();
    expect([...sent].sort()).toEqual([held, behind.id, code.id].sort());
    expect(sent.indexOf(held)).toBeLessThan(sent.indexOf(behind.id));
    expect((await send("later in the morning")).body.message.send_at).toBe(undefined);
  });

  test("a message that is held again when it is due leaves the chat unread", async () => {
    const [held = ""] = await sendMany(1);
    const updatedAt = (await waiting())[0].updated_at;
    await setQuiet({ ...NIGHT, to: "10:00" });
    forward(10);
    await runDue();
    expect(await waiting()).toMatchObject([{ id: held, send_at: nextAt(10), updated_at: updatedAt }]);
  });

  test("when quiet hours go or the person's zone changes, what they hold is evaluated again", async () => {
    const [held = ""] = await sendMany(1);
    const keyed = (await send("once", {}, { idempotency_key: "order-2" })).body.message.id;
    const person = await signInAs(account, "support");
    const inZone = (time_zone: string) =>
      person.call(ZONE.PUT, { method: "PUT", params: { handle: phone }, body: { time_zone } });
    await inZone("Europe/Berlin");
    await runDue();
    const sevenUtc = await waiting();
    expect(sevenUtc.map(({ id }: { id: string }) => id)).toEqual([held, keyed]);
    expect(sevenUtc[0].send_at < nextAt(8)).toBe(true);

    await setQuiet(null);
    forward(10);
    await runDue();
    expect(await waiting()).toEqual([]);
    expect(await sentIds()).toEqual([held, keyed]);
    expect((await send("once", {}, { idempotency_key: "order-2" })).body.message.id).toBe(keyed);
  });
});
