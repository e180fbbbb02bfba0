import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { allTransports } from "@/lib/adapters/transports/registry";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { tablesWith } from "@/lib/testing/database/tables-with";
import {
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { listPhoneActions } from "@/lib/testing/phone-actions";
import { untilDone } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(stop);

async function stop(): Promise<void> {
  await Promise.all(running.map((part) => part.stop()));
  running = [];
}

function start(): void {
  for (const transport of allTransports()) if (transport.start) running.push(transport.start(inboundSink));
  running.push(startDispatch(), startActions());
}

const call = (what: `${string} ${string}`, body?: unknown) => callApi(what, { token: account.token, body });

function send(chatId: string, texts: readonly string[], key?: string) {
  const poll = { options: texts.map((text) => ({ text })), ...(key && { idempotency_key: key }) };
  return call(`POST /v3/chats/${chatId}/polls`, { poll });
}

const vote = (messageId: string, operation: string, option_id: string) =>
  call(`POST /v3/messages/${messageId}/poll/votes`, { operation, option_id });

async function sendOne() {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const { body } = await send(chatId, ["Friday", "Saturday"]);
  const [first, second] = body.poll.options;
  return { phone, chatId, id: body.message_id, first: first.option_id, second: second.option_id, body };
}

test("a poll is sent, delivered and read as a message, with events of its own", async () => {
  const { phone, chatId, id, body } = await sendOne();
  expect(body).toMatchObject({
    chat_id: chatId,
    poll: {
      total_voters: 0,
      options: [{ text: "Friday", can_be_edited: false, voters: [] }, { text: "Saturday" }],
    },
    reactions: [],
  });
  expect(body.poll.options[0].creator_handle.handle).toBe(account.line);

  start();
  await untilStatus(account, id, "delivered");
  const emitted = await eventsOfMessage(account, id);
  expect(emitted.map(({ type }) => type)).toEqual(["poll.sent", "poll.delivered"]);
  expect(emitted[0]?.data).toMatchObject({ direction: "outbound", poll: { total_voters: 0 } });
  const phones = await call("GET /simulator/phones");
  const mine = phones.body.phones.find(({ handle }: { handle: string }) => handle === phone);
  expect(JSON.stringify(mine)).toContain('"type":"poll"');
});

test("votes count people once, are ours and contacts', and a repeat changes nothing", async () => {
  const { phone, id, first, second } = await sendOne();
  start();
  await untilStatus(account, id, "delivered");
  await vote(id, "add", first);
  await vote(id, "add", first);
  await vote(id, "add", second);
  await call(`POST /simulator/phones/${phone}/votes`, { message_id: id, option_id: second });
  const { body } = await vote(id, "remove", second);

  expect(body.poll.total_voters).toBe(2);
  const voters = body.poll.options.map((option: { voters: { handle: string }[] }) =>
    option.voters.map(({ handle }) => handle),
  );
  expect(voters).toEqual([[account.line], [phone]]);
  await until(async () => (await listPhoneActions(account, phone)).length === 3);
  const types = (await eventsOfMessage(account, id))
    .map(({ type }) => type)
    .filter((type) => /vote/.test(type));
  const [added, removed] = ["poll.vote.added", "poll.vote.removed"];
  expect(types).toEqual([added, added, added, removed]);
});

test("each of many concurrent votes counts once", async () => {
  const { phone, id, first } = await sendOne();
  start();
  await untilStatus(account, id, "delivered");
  const theirs = { message_id: id, option_id: first };
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0 ? vote(id, "add", first) : call(`POST /simulator/phones/${phone}/votes`, theirs),
    ),
  );
  const { body } = await call(`GET /v3/messages/${id}/poll`);
  expect([body.poll.total_voters, body.poll.options[0].voters.length]).toEqual([2, 2]);
  const votes = (await eventsOfMessage(account, id)).filter(({ type }) => type === "poll.vote.added");
  expect(votes).toHaveLength(2);
});

test("options are only added, ours and contacts', up to twelve", async () => {
  const { phone, id } = await sendOne();
  start();
  await untilStatus(account, id, "delivered");
  await call(`POST /simulator/phones/${phone}/poll_options`, {
    message_id: id,
    options: [{ text: "Sunday" }],
  });
  const more = Array.from({ length: 9 }, (_, index) => ({ text: `later ${index}` }));
  const { body } = await call(`POST /v3/messages/${id}/poll/options`, { options: more });
  expect(body.poll.options).toHaveLength(12);
  expect(body.poll.options[2].creator_handle.handle).toBe(phone);
  const over = await call(`POST /v3/messages/${id}/poll/options`, { options: [{ text: "one more" }] });
  expect([over.status, over.body.error.code]).toEqual([400, 1005]);
  const updated = (await eventsOfMessage(account, id)).filter(({ type }) => type === "poll.updated");
  expect(updated).toHaveLength(2);
});

test("a vote and options the network refuses are noted and taken back", async () => {
  const { phone, chatId, id, first } = await sendOne();
  start();
  await untilStatus(account, id, "delivered");
  await stop();
  await changeTestPhone(account, phone, { fault: "rejected" });
  expect((await vote(id, "add", first)).body.poll.total_voters).toBe(1);
  const more = await call(`POST /v3/messages/${id}/poll/options`, { options: [{ text: "Sunday" }] });
  expect(more.body.poll.options).toHaveLength(3);
  start();
  await untilDone(chatId);

  const { body } = await call(`GET /v3/messages/${id}/poll`);
  expect([body.poll.total_voters, body.poll.options.length]).toEqual([0, 2]);
  expect(await votesEmittedFor(id)).toEqual(["poll.vote.added", "poll.vote.removed"]);
  const { notes } = await listChatNotes(account.context(), { params: { chatId } });
  expect(notes.map(({ text }) => text)).toEqual([
    "A vote in a poll could not be changed (4007)",
    "Options could not be added to a poll (4007)",
  ]);
});

test("a refused vote that was taken back meanwhile stays taken back", async () => {
  const { phone, chatId, id, first } = await sendOne();
  start();
  await untilStatus(account, id, "delivered");
  await stop();
  await changeTestPhone(account, phone, { fault: "rejected" });
  await vote(id, "add", first);
  await vote(id, "remove", first);
  start();
  await untilDone(chatId);

  expect((await call(`GET /v3/messages/${id}/poll`)).body.poll.total_voters).toBe(0);
  expect(await votesEmittedFor(id)).toEqual(["poll.vote.added", "poll.vote.removed"]);
});

async function votesEmittedFor(messageId: string): Promise<string[]> {
  return (await eventsOfMessage(account, messageId))
    .map(({ type }) => type)
    .filter((type) => type.startsWith("poll.vote."));
}

test("one idempotency key is one poll, however often and at once it is sent, and is none of a message", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const message = { parts: [{ type: "text", value: "hi" }], idempotency_key: "same" };
  await call(`POST /v3/chats/${chatId}/messages`, { message });
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(chatId, ["a", "b"], "same")));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.message_id}`)).size).toBe(1);
});

test("a deleted poll leaves nothing of what its options said", async () => {
  const phone = await createTestPhone(account);
  const { body } = await send(await createDirectChat(account, phone), ["canary option sings", "other"]);
  start();
  await untilStatus(account, body.message_id, "delivered");
  await call(`DELETE /v3/messages/${body.message_id}`);
  expect(await tablesWith("canary option sings")).toEqual(["simulator_messages"]);
  expect((await call(`GET /v3/messages/${body.message_id}/poll`)).body.error.code).toBe(2002);
});

test("each refusal says why", async () => {
  const { id, chatId, phone } = await sendOne();
  const sms = await createTestPhone(account, { platform: "sms_only" });
  const text = await writeAs(account, sms, { to: account.line, text: "hi" });
  const moved = await createTestPhone(account);
  const movedChat = await createDirectChat(account, moved);
  await changeTestPhone(account, moved, { platform: "sms_only" });
  const unknown = "01a00000-0000-7000-8000-000000000000";
  const refusals: [ReturnType<typeof call>, number, number][] = [
    [send(chatId, ["only one"]), 400, 1001],
    [send(chatId, Array(13).fill("many")), 400, 1005],
    [send(chatId, ["x".repeat(101), "y"]), 400, 1005],
    [send(unknown, ["a", "b"]), 404, 2001],
    [send(text.chatId, ["a", "b"]), 409, 2017],
    [send(movedChat, ["a", "b"]), 409, 2017],
    [vote(id, "add", unknown), 400, 1005],
    [vote(text.messageId, "add", unknown), 404, 2002],
    [call(`GET /v3/messages/${text.messageId}/poll`), 404, 2002],
  ];
  for (const [answer, status, code] of refusals) {
    const { status: got, body } = await answer;
    expect([got, body.error?.code]).toEqual([status, code]);
  }
  await writeAs(account, phone, { to: chatId, text: "STOP" });
  expect((await send(chatId, ["a", "b"])).body.error.code).toBe(2024);
});

test("where no content is kept, events are marked and contain none of its content; options are added by repeating the earlier", async () => {
  const kept = account;
  account = await createTestAccount({ type: "sandbox" });
  await updateAccountOptions(account.context(), { body: { retention_minutes: 60 } });
  const { phone, chatId, id } = await sendOne();
  const add = (texts: string[]) =>
    call(`POST /v3/messages/${id}/poll/options`, { options: texts.map((text) => ({ text })) });
  for (const texts of [["Sunday"], ["Saturday", "Friday", "Sunday"], ["Friday", "Saturday"]]) {
    const { status, body } = await add(texts);
    expect([status, body.error.code]).toEqual([400, 1005]);
  }
  const { status, body } = await add(["Friday", "Saturday", "Sunday"]);
  expect([status, body.poll.options.map(({ text }: { text: string }) => text)]).toEqual([
    200,
    ["Friday", "Saturday", "Sunday"],
  ]);
  start();
  await untilStatus(account, id, "delivered");
  const ours = await eventsOfMessage(account, id);
  expect(ours.map(({ type }) => type)).toContain("poll.delivered");
  for (const { data } of ours) {
    expect(data).toMatchObject({ zero_retention: true });
    expect(JSON.stringify(data)).not.toMatch(/Friday|Saturday|Sunday/);
  }

  const text = (await call(`POST /v3/chats/${chatId}/messages`, {
    message: { parts: [{ type: "text", value: "draft" }] },
  })) as { body: { message: { id: string } } };
  await untilStatus(account, text.body.message.id, "delivered");
  await call(`PATCH /v3/messages/${text.body.message.id}`, { text: "final words" });
  const edited = (await eventsOfMessage(account, text.body.message.id)).at(-1);
  expect(edited).toMatchObject({
    type: "message.edited",
    data: { part: { index: 0, text: "" }, zero_retention: true },
  });

  const theirs = await writeAs(account, phone, {
    to: chatId,
    parts: [{ type: "poll", options: [{ text: "Tea" }, { text: "Mate" }] }],
  });
  expect((await eventsOfMessage(account, theirs.messageId))[0]).toMatchObject({
    type: "poll.received",
    data: { zero_retention: true, poll: { options: [{ text: "Tea" }, { text: "Mate" }] } },
  });
  account = kept;
});
