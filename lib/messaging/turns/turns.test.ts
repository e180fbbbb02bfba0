import "@/lib/testing/use-test-database";

import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { InMedia } from "@/lib/adapters/transports/inbound";
import { renderEvent } from "@/lib/events/catalog/render-event";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { receiveEdit } from "@/lib/messaging/edits/receive-edit";
import { sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { recordStatements } from "@/lib/testing/database/record-statements";
import { createTurnBench, idsOf } from "@/lib/testing/events/turn-bench";
import { acceptTestMessage, advanceClock, createTestPhone, untilStatus } from "@/lib/testing/factories";
import { receiveEvent } from "@/lib/testing/receive-event";
import { sampleImage } from "@/lib/testing/samples/file-samples";

const bench = createTurnBench();
const { write, pass, turns, openTurns, person, text } = bench;

const running: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((queue) => queue.stop()));
});

async function photo(more: Partial<InMedia> = {}): Promise<InMedia> {
  const bytes = await sampleImage("png");
  return {
    type: "media",
    filename: "a.png",
    mimeType: "image/png",
    open: async () => Readable.from([bytes]),
    ...more,
  };
}

async function typesOf(chatId: string): Promise<string[]> {
  const rows = await sql.runText<{ type: string }>({
    text: "select type from events where account_id = $1 and chat_id = $2",
    values: [bench.account().ref.id, chatId],
  });
  return rows.map(({ type }) => type);
}

async function answer(chatId: string): Promise<void> {
  running.push(startDispatch());
  await untilStatus(bench.account(), await acceptTestMessage(bench.account(), chatId), "sent");
}

describe("a turn closes", () => {
  test("after two seconds of quiet, with its messages in order, once", async () => {
    await bench.subscribe();
    const ada = person();
    const first = await write(ada, "hi");
    advanceClock(1.5);
    const second = await write(ada, "are you open");
    await pass(1.9);
    expect(await turns(first.chatId)).toEqual([]);

    await pass(0.1);
    const started = new Date(now().getTime() - 3500).toISOString();
    const [turn, ...others] = await turns(first.chatId);
    expect(others).toEqual([]);
    expect(turn).toMatchObject({
      chat_id: first.chatId,
      from_handle: { handle: ada, is_me: false },
      reason: "quiet",
      started_at: started,
      closed_at: now().toISOString(),
      mentions_me: false,
      withdrawn: [],
    });
    expect(idsOf(turn)).toEqual([first.messageId, second.messageId]);
    expect(await openTurns(first.chatId)).toEqual([]);

    await pass(60);
    expect(await turns(first.chatId)).toHaveLength(1);
  });

  test("after four seconds when a file came, also with a text after it", async () => {
    await bench.subscribe();
    const ada = person();
    const { chatId } = await write(ada, [await photo()]);
    advanceClock(1);
    await write(ada, "what is this?");
    await pass(2.9);
    expect(await turns(chatId)).toEqual([]);
    await pass(0.1);
    expect(await turns(chatId)).toMatchObject([{ reason: "quiet" }]);
  });

  test("after 15 seconds at the latest, although the person goes on", async () => {
    await bench.subscribe();
    const ada = person();
    const { chatId } = await write(ada, "0");
    for (let second = 1; second <= 15; second++) {
      await pass(1);
      await write(ada, String(second));
    }
    const [turn, ...others] = await turns(chatId);
    expect(others).toEqual([]);
    expect(turn).toMatchObject({ reason: "max_wait" });
    expect(turn?.messages).toHaveLength(15);
    await pass(2);
    expect((await turns(chatId)).map(({ reason, messages }) => [reason, messages.length])).toEqual([
      ["max_wait", 15],
      ["quiet", 1],
    ]);
  });

  test("with 20 messages; what came before it was closed is in the next", async () => {
    await bench.subscribe();
    const ada = person();
    const written: string[] = [];
    for (let count = 0; count < 23; count++) written.push((await write(ada, `m${count}`)).messageId);
    const { chatId } = await write(ada, "last");
    await bench.close();
    expect((await turns(chatId)).map(({ reason }) => reason)).toEqual(["max_size"]);
    expect(idsOf((await turns(chatId))[0])).toEqual(written.slice(0, 20));

    await pass(2);
    const [, rest] = await turns(chatId);
    expect(rest).toMatchObject({ reason: "quiet" });
    expect(idsOf(rest)).toHaveLength(4);
  });

  test("at once when the account answers; a message after the answer has its own turn", async () => {
    await bench.subscribe();
    const ada = person();
    const first = await write(ada, "hi");
    await answer(first.chatId);
    const later = await write(ada, "thanks");
    await bench.close();
    expect((await turns(first.chatId)).map((turn) => [turn.reason, idsOf(turn)])).toEqual([
      ["answered", [first.messageId]],
    ]);
    await pass(2);
    expect((await turns(first.chatId)).map((turn) => [turn.reason, idsOf(turn)])).toEqual([
      ["answered", [first.messageId]],
      ["quiet", [later.messageId]],
    ]);
  });
});

describe("typing holds a turn", () => {
  test("until the person stops", async () => {
    await bench.subscribe();
    const ada = person();
    const { chatId } = await write(ada, "hi");
    advanceClock(1);
    await bench.types(ada, true);
    await pass(4);
    expect(await turns(chatId)).toEqual([]);
    await bench.types(ada, false);
    await bench.close();
    expect(await turns(chatId)).toMatchObject([{ reason: "quiet" }]);
  });

  test("for six seconds when nothing more is reported", async () => {
    await bench.subscribe();
    const ada = person();
    const { chatId } = await write(ada, "hi");
    await bench.types(ada, true);
    await pass(5.9);
    expect(await turns(chatId)).toEqual([]);
    await pass(0.1);
    expect(await turns(chatId)).toMatchObject([{ reason: "quiet" }]);
  });

  test("not beyond the maximum", async () => {
    await bench.subscribe();
    const ada = person();
    const { chatId } = await write(ada, "hi");
    for (let seconds = 0; seconds < 15; seconds += 5) {
      await bench.types(ada, true);
      await pass(5);
    }
    expect(await turns(chatId)).toMatchObject([{ reason: "max_wait" }]);
  });

  test("only that of the person who types", async () => {
    await bench.subscribe();
    const [ada, bob] = [person(), person()];
    const group = { groupRef: `group-${ada}`, others: [bob] };
    const { chatId } = await write(ada, "hi", group);
    await write(bob, "hello", { ...group, others: [ada] });
    await bench.types(bob, true, group.groupRef);
    await pass(2);
    expect((await turns(chatId)).map(({ from_handle }) => from_handle.handle)).toEqual([ada]);
  });
});

describe("the mistakes of others", () => {
  test("a turn without a maximum: 30 messages of one a second are in two turns, none lost", async () => {
    await bench.subscribe();
    const ada = person();
    const written: string[] = [];
    let chatId = "";
    for (let count = 0; count < 30; count++) {
      const message = await write(ada, `m${count}`);
      chatId = message.chatId;
      written.push(message.messageId);
      await pass(1);
    }
    await pass(2);
    const all = await turns(chatId);
    expect(all.length).toBeGreaterThan(1);
    expect(all.flatMap(idsOf)).toEqual(written);
  });

  test("images lost: photos and the text about them are one turn with all parts", async () => {
    await bench.subscribe();
    const ada = person();
    const { chatId } = await write(ada, [await photo({ filename: "one.png" })]);
    await write(ada, [await photo({ filename: "two.png" })]);
    await write(ada, "what is this?");
    await pass(4);
    const [turn] = await turns(chatId);
    expect(turn?.messages.map(({ message }) => message.parts)).toMatchObject([
      [{ type: "media", filename: "one.png" }],
      [{ type: "media", filename: "two.png" }],
      [{ type: "text", value: "what is this?" }],
    ]);
  });

  test("only the last kept: every message has its own text and mentions", async () => {
    await bench.subscribe();
    const [ada, bob] = [person(), person()];
    const group = { groupRef: `group-${ada}`, others: [bob] };
    const mention = { handle: bench.line().phoneNumber, range: [0, 3] as const };
    const { chatId } = await write(ada, [{ type: "text", value: "@me hi", mentions: [mention] }], group);
    await write(ada, "and that", group);
    await pass(2);
    const [turn] = await turns(chatId);
    expect(turn).toMatchObject({
      mentions_me: true,
      messages: [
        { message: { parts: [{ value: "@me hi", mentions: [{ is_me: true, range: [0, 3] }] }] } },
        { message: { parts: [{ value: "and that", mentions: null }] } },
      ],
    });
  });

  test("third sender lost: three people of a group have a turn each", async () => {
    await bench.subscribe();
    const [ada, bob, cid] = [person(), person(), person()];
    const groupRef = `group-${ada}`;
    const { chatId } = await write(ada, "a1", { groupRef, others: [bob, cid] });
    await write(bob, "b1", { groupRef, others: [ada, cid] });
    await write(cid, "c1", { groupRef, others: [ada, bob] });
    await write(ada, "a2", { groupRef, others: [bob, cid] });
    await pass(2);
    const texts = (await turns(chatId)).map(({ from_handle, messages }) => [
      from_handle.handle,
      messages.map(({ message }) => message.parts.map((part) => "value" in part && part.value).join()),
    ]);
    expect(new Map(texts as [string, string[]][])).toEqual(
      new Map([
        [ada, ["a1", "a2"]],
        [bob, ["b1"]],
        [cid, ["c1"]],
      ]),
    );
    expect(texts).toHaveLength(3);
  });

  test("reply metadata lost: each message has its own reply_to", async () => {
    await bench.subscribe();
    const ada = person();
    const first = await write(ada, "one");
    const second = await write(ada, "two");
    await write(ada, "to one", { replyTo: { ref: first.ref, part: 0 } });
    await write(ada, [await photo()], { replyTo: { ref: second.ref, part: 0 } });
    await pass(4);
    const [turn] = await turns(first.chatId);
    expect(turn?.messages.map(({ message }) => message.reply_to?.message_id ?? null)).toEqual([
      null,
      null,
      first.messageId,
      second.messageId,
    ]);
  });
});

describe("in a turn", () => {
  test("an edit replaces the text", async () => {
    await bench.subscribe();
    const ada = person();
    const { chatId, ref } = await write(ada, "at fvie");
    await receiveEdit(bench.line(), { type: "edited", ref, from: ada, part: 0, text: "at five" });
    await pass(2);
    expect(await turns(chatId)).toMatchObject([
      { messages: [{ message: { parts: [{ value: "at five" }] } }] },
    ]);
  });

  test("an edit that takes the mention out leaves mentions_me, and a deletion does not", async () => {
    await bench.subscribe();
    const [ada, bob] = [person(), person()];
    const group = { groupRef: `group-${ada}`, others: [bob] };
    const mention = { handle: bench.line().phoneNumber, range: [0, 3] as const };
    const mentioning = [{ type: "text", value: "@me hi", mentions: [mention] }] as const;
    const { chatId, ref } = await write(ada, mentioning, group);
    await receiveEdit(bench.line(), {
      type: "edited",
      ref,
      from: ada,
      part: 0,
      text: "@me hello",
    });
    await pass(2);
    const deleted = await write(ada, mentioning, group);
    await write(ada, "never mind", group);
    await callApi(`DELETE /v3/messages/${deleted.messageId}`, { token: bench.account().token });
    await pass(2);
    const direct = await write(bob, mentioning);
    await pass(2);
    expect((await turns(chatId)).map(({ mentions_me }) => mentions_me)).toEqual([true, false]);
    expect((await turns(direct.chatId)).map(({ mentions_me }) => mentions_me)).toEqual([true]);
  });

  test("a message that was taken back or deleted is only named", async () => {
    await bench.subscribe();
    const ada = person();
    const first = await write(ada, "wrong chat");
    const second = await write(ada, "hi");
    const unsent = await write(ada, "oops");
    await callApi(`DELETE /v3/messages/${first.messageId}`, { token: bench.account().token });
    await sql.runText({
      text: "update messages set unsent_at = now() where account_id = $1 and id = $2",
      values: [bench.account().ref.id, unsent.messageId],
    });
    await pass(2);
    const [turn] = await turns(first.chatId);
    expect(idsOf(turn)).toEqual([second.messageId]);
    expect(turn?.withdrawn).toEqual([first.messageId, unsent.messageId]);
  });

  test("nothing remains when all messages were deleted: there is no event", async () => {
    await bench.subscribe();
    const { chatId, messageId } = await write(person(), "wrong chat");
    await callApi(`DELETE /v3/messages/${messageId}`, { token: bench.account().token });
    await pass(2);
    expect(await turns(chatId)).toEqual([]);
    expect(await openTurns(chatId)).toEqual([]);
  });

  test("recovered messages are apart from live ones", async () => {
    await bench.subscribe();
    const ada = person();
    const live = await write(ada, "hi");
    const missed = await write(ada, "from yesterday", { isLive: false });
    await pass(2);
    const all = await turns(live.chatId);
    expect(all.map(idsOf).sort()).toEqual([[live.messageId], [missed.messageId]].sort());
  });
});

describe("a turn is not opened", () => {
  test("by a reaction, a poll, a vote, typing or a receipt", async () => {
    const ada = await createTestPhone(bench.account());
    const { chatId, ref } = await write(ada, "hi");
    await bench.subscribe();
    const reaction = { type: "love" } as const;
    await receiveEvent(bench.line(), {
      type: "reaction",
      ref,
      part: 0,
      from: ada,
      reaction,
      isRemoved: false,
    });
    const sent = await acceptTestMessage(bench.account(), chatId);
    running.push(startDispatch());
    await untilStatus(bench.account(), sent, "sent");
    const [vendor] = await sql.runText<{ ref: string }>({
      text: "select ref from transport_refs where account_id = $1 and message_id = $2",
      values: [bench.account().ref.id, sent],
    });
    await receiveEvent(bench.line(), { type: "delivered", ref: vendor?.ref ?? "", at: now() });
    const options = ["yes", "no"].map((option) => ({ ref: option, text: option }));
    const poll = await write(ada, [{ type: "poll", options }]);
    await receiveEvent(bench.line(), {
      type: "vote",
      ref: poll.ref,
      from: ada,
      option: "yes",
      isRemoved: false,
    });
    await bench.types(ada, true);
    expect(await typesOf(chatId)).toEqual(
      expect.arrayContaining([
        "reaction.added",
        "message.delivered",
        "poll.received",
        "poll.vote.added",
        "chat.typing_indicator.started",
      ]),
    );
    expect(await openTurns(chatId)).toEqual([]);
    await write(ada, "really?");
    expect(await openTurns(chatId)).toHaveLength(1);
  });

  test("without a subscription to chat.turn, nor for another line, a deleted one, or groups when they don't count", async () => {
    await bench.subscribe(undefined, { subscribed_events: ["message.received"] });
    const deleted = await bench.subscribe();
    await callApi(`DELETE /v3/webhook-subscriptions/${deleted}`, { token: bench.account().token });
    await bench.subscribe({ groups: false });
    const [ada, bob] = [person(), person()];
    const group = await write(ada, "hi", { groupRef: `group-${ada}`, others: [bob] });
    expect(await openTurns(group.chatId)).toEqual([]);
    const direct = await write(ada, "hi");
    expect(await openTurns(direct.chatId)).toHaveLength(1);
  });

  test("a text costs one statement, with and without subscriptions to chat.turn", async () => {
    const ada = person();
    await write(ada, "hi");
    const namesOf = async () =>
      (await recordStatements(() => write(ada, "again"))).flatMap(({ name }) => name ?? []);
    expect(await namesOf()).toEqual(["receive-texts"]);
    await bench.subscribe();
    expect(await namesOf()).toEqual(["receive-texts"]);
    const { chatId } = await write(ada, "more");
    expect(await openTurns(chatId)).toHaveLength(1);
  });
});

describe("subscriptions", () => {
  test("with different settings have their own turns, delivered to them alone", async () => {
    const quick = await bench.subscribe({ quiet_seconds: 0.5 });
    const slow = await bench.subscribe({ quiet_seconds: 10, max_seconds: 20 });
    const ada = person();
    const { chatId } = await write(ada, "one");
    await pass(1);
    await write(ada, "two");
    await pass(10);
    const all = await turns(chatId);
    expect(all.map((turn) => [turn.subscription_id, turn.messages.length])).toEqual([
      [quick, 1],
      [quick, 1],
      [slow, 2],
    ]);
    const deliveries = await sql.runText<{ subscription_id: string; owner: string }>({
      text: `select d.subscription_id, e.data ->> 'subscription_id' as owner from webhook_deliveries d
             join events e on e.account_id = d.account_id and e.seq = d.event_seq
             where e.account_id = $1 and e.chat_id = $2 and e.type = 'chat.turn'`,
      values: [bench.account().ref.id, chatId],
    });
    expect(deliveries).toHaveLength(3);
    for (const { subscription_id, owner } of deliveries) expect(subscription_id).toBe(owner);
  });

  test("that end their interest before the end get no turn", async () => {
    const id = await bench.subscribe();
    const { chatId } = await write(person(), "hi");
    await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: bench.account().token,
      body: { subscribed_events: ["message.received"] },
    });
    await pass(2);
    expect([await turns(chatId), await openTurns(chatId)]).toEqual([[], []]);
  });

  test("that end their interest in the line get no turn", async () => {
    const { ref } = bench.account();
    const id = await bench.subscribe();
    const { chatId } = await write(person(), "hi");
    await sql.runText({
      text: "update webhook_subscriptions set phone_numbers = '{+12025550100}' where account_id = $1 and id = $2",
      values: [ref.id, id],
    });
    await pass(2);
    expect([await turns(chatId), await openTurns(chatId)]).toEqual([[], []]);
  });

  test("have settings that are read, replaced and cleared", async () => {
    const { token } = bench.account();
    const id = await bench.subscribe({ quiet_seconds: 3.5, groups: false });
    const path = `/v3/webhook-subscriptions/${id}` as const;
    const turnsOf = async () => (await callApi(`GET ${path}`, { token })).body.turns;
    expect(await turnsOf()).toEqual({ quiet_seconds: 3.5, groups: false });
    await callApi(`PUT ${path}`, { token, body: { is_active: true } });
    expect(await turnsOf()).toEqual({ quiet_seconds: 3.5, groups: false });
    await callApi(`PUT ${path}`, { token, body: { turns: { max_seconds: 30 } } });
    expect(await turnsOf()).toEqual({ max_seconds: 30 });
    const { body } = await callApi(`PUT ${path}`, { token, body: { turns: null } });
    expect(body).not.toHaveProperty("turns");
  });

  test.each([
    [{ quiet_seconds: 0.4 }],
    [{ quiet_seconds: 31, max_seconds: 60 }],
    [{ quiet_seconds: 20 }],
    [{ max_seconds: 121 }],
    [{ quiet_seconds: 3, max_seconds: 2 }],
  ])("reject %j", async (settings) => {
    const { status, body } = await callApi("POST /v3/webhook-subscriptions", {
      token: bench.account().token,
      body: { target_url: "https://example.com/x", subscribed_events: ["chat.turn"], turns: settings },
    });
    expect([status, body.error?.code]).toEqual([400, expect.any(Number)]);
  });
});

describe("a file that is loading", () => {
  const late = { source: "later", open: () => Promise.reject(new Error("not yet")) };

  test("holds the turn to the maximum, and goes as pending", async () => {
    await bench.subscribe();
    const { chatId } = await write(person(), [text("look"), await photo(late)]);
    await pass(14.9);
    expect(await turns(chatId)).toEqual([]);
    await pass(0.1);
    expect(await turns(chatId)).toMatchObject([
      { reason: "max_wait", messages: [{ message: { parts: [{ value: "look" }, { status: "pending" }] } }] },
    ]);
  });
});

test("the messages of a turn are those of message.received, in both versions", async () => {
  await bench.subscribe();
  const { chatId, messageId } = await write(person(), "hi");
  await pass(2);
  const events = await sql.runText<{ id: string; type: string; data: unknown }>({
    text: `select id, type, data from events where account_id = $1 and type = any($2)
             and (message_id = $3 or chat_id = $4) and (message_id is null or message_id = $3) order by seq`,
    values: [bench.account().ref.id, ["message.received", "chat.turn"], messageId, chatId],
  });
  for (const version of ["2025-01-01", "2026-02-03"] as const) {
    const [received, turn] = events.map((event) => {
      const stored = { ...event, traceId: "0".repeat(32), createdAt: now() };
      return renderEvent(stored, bench.account().ref.partnerId, version).data;
    });
    const { messages, id, ...rest } = z
      .looseObject({ messages: z.array(z.unknown()), id: z.uuid() })
      .parse(turn);
    expect(messages).toEqual([received]);
    expect(id).toBe(events[1]?.id);
    expect(rest).not.toHaveProperty("subscription_id");
  }
});

test("a message that is erased is erased in its turn, and the others stay", async () => {
  await bench.subscribe();
  const ada = person();
  const first = await write(ada, "my card is 4242");
  await write(ada, "hello");
  await pass(2);
  await callApi(`DELETE /v3/messages/${first.messageId}`, { token: bench.account().token });
  expect(await turns(first.chatId)).toMatchObject([
    {
      messages: [
        { message: { id: first.messageId, parts: [] } },
        { message: { parts: [{ value: "hello" }] } },
      ],
    },
  ]);
});
