import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import type { Queue } from "@/lib/platform/database/queue";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { listPhoneActions } from "@/lib/testing/phone-actions";
import { changesOf, createTestGroup, membersOf, untilDone } from "@/lib/testing/test-chats";

let account: TestAccount;
let worker: Queue;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = startActions();
});

afterAll(() => worker.stop());

const call = (request: `${string} ${string}`, body?: object) =>
  callApi(request, { token: account.token, body });
const add = (chatId: string, handle: string) => call(`POST /v3/chats/${chatId}/participants`, { handle });
const remove = (chatId: string, handle: string) =>
  call(`DELETE /v3/chats/${chatId}/participants`, { handle });
const leave = (chatId: string) => call(`POST /v3/chats/${chatId}/leave`);
const send = (chatId: string) =>
  call(`POST /v3/chats/${chatId}/messages`, { message: { parts: [{ type: "text", value: "hi" }] } });

describe("adding and removing", () => {
  test("an added participant is in the group, as participant.added reports; the phones see it", async () => {
    const { chatId, first } = await createTestGroup(account, 2);
    const newcomer = await createTestPhone(account);

    const { status, body } = await add(chatId, newcomer);
    expect(status).toBe(202);
    expect(body).toEqual({
      status: "accepted",
      message: "Participant addition queued",
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    await untilDone(chatId);

    expect(await membersOf(account, chatId)).toMatchObject({ [newcomer]: "active" });
    expect(await changesOf(account, chatId)).toEqual([
      {
        type: "participant.added",
        data: expect.objectContaining({
          chat_id: chatId,
          participant: expect.objectContaining({ handle: newcomer, status: "active", is_me: false }),
        }),
      },
    ]);
    expect(await listPhoneActions(account, first)).toContainEqual({
      do: "add_participant",
      handle: newcomer,
    });
  });

  test("a participant named in the path is removed too", async () => {
    const { chatId, phones } = await createTestGroup(account, 3);
    const gone = phones[2] ?? "";
    const { status, body } = await call(`DELETE /v3/chats/${chatId}/participants/${gone}`);
    expect([status, body.message]).toEqual([202, "Participant removal queued"]);
    await untilDone(chatId);
    expect(await membersOf(account, chatId)).toMatchObject({ [gone]: "removed" });
  });

  test("a removed participant stays listed with left_at, and gets no further messages", async () => {
    const { chatId, phones } = await createTestGroup(account, 3);
    const gone = phones[2] ?? "";

    expect((await remove(chatId, gone)).status).toBe(202);
    await untilDone(chatId);

    const { body } = await call(`GET /v3/chats/${chatId}`);
    expect(body.handles).toHaveLength(4);
    expect(body.display_name).toBe(phones.slice(0, 2).join(", "));
    expect(body.handles.find((member: { handle: string }) => member.handle === gone)).toMatchObject({
      status: "removed",
      left_at: expect.any(String),
    });
    expect((await changesOf(account, chatId)).map(({ type }) => type)).toEqual(["participant.removed"]);
  });

  test("a group that changed is not matched by its first recipients any more", async () => {
    const { chatId, phones } = await createTestGroup(account, 3);
    for (const phone of phones) await createDirectChat(account, phone);
    await remove(chatId, phones[2] ?? "");
    await untilDone(chatId);

    const { status, body } = await call("POST /v3/chats", {
      from: account.line,
      to: phones,
      message: { parts: [{ type: "text", value: "again" }] },
    });
    expect(status).toBe(201);
    expect(body.chat.id).not.toBe(chatId);
  });

  test("two removals at once from a group of four leave three", async () => {
    for (let round = 0; round < 5; round++) {
      const { chatId, phones } = await createTestGroup(account, 3);
      const answers = await Promise.all(phones.slice(1).map((phone) => remove(chatId, phone)));
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
      await untilDone(chatId);
      const left = Object.values(await membersOf(account, chatId)).filter((status) => status === "active");
      expect(left).toHaveLength(3);
    }
  });

  test("adding counts as activity", async () => {
    const { chatId } = await createTestGroup(account, 2);
    const later = await createTestGroup(account, 2);
    await add(chatId, await createTestPhone(account));
    const { body } = await call("GET /v3/chats?limit=2");
    expect(body.chats.map((chat: { id: string }) => chat.id)).toEqual([chatId, later.chatId]);
  });
});

describe("leaving", () => {
  test("makes the chat unavailable for writes at once; reads and lists still answer", async () => {
    const { chatId, first } = await createTestGroup(account, 3);
    const { status, body } = await leave(chatId);
    expect([status, body.status]).toEqual([202, "accepted"]);

    for (const answer of [await send(chatId), await leave(chatId), await add(chatId, "+15550001111")]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 2013]);
    }
    await untilDone(chatId);

    expect(await membersOf(account, chatId)).toMatchObject({ [account.line]: "left" });
    expect((await call(`GET /v3/chats/${chatId}/messages`)).body.messages).toHaveLength(1);
    expect(await changesOf(account, chatId)).toMatchObject([
      {
        type: "participant.removed",
        data: { participant: { handle: account.line, is_me: true, status: "left" } },
      },
    ]);
    expect(await listPhoneActions(account, first)).toContainEqual({ do: "leave" });
  });

  test("a chat with the same people afterwards is a new chat, from either side", async () => {
    const { chatId, phones, first } = await createTestGroup(account, 3);
    await leave(chatId);
    await untilDone(chatId);

    const again = await writeAs(account, first, {
      to: account.line,
      also_to: phones.slice(1),
      text: "back?",
    });
    expect(again.chatId).not.toBe(chatId);
  });
});

describe("what is refused", () => {
  test.each(["add", "remove", "leave"] as const)("%s in a direct chat: 409/2023", async (what) => {
    const chatId = await createDirectChat(account, await createTestPhone(account));
    const answer = await { add, remove, leave }[what](chatId, "+15550001111");
    expect([answer.status, answer.body.error.code]).toEqual([409, 2023]);
    expect(answer.headers.get("x-should-retry")).toBe("false");
  });

  test.each(["add", "remove", "leave"] as const)("%s in an SMS group: 409/2017", async (what) => {
    const { chatId, first } = await createTestGroup(account, 3, { platform: "sms_only" });
    const answer = await { add, remove, leave }[what](chatId, first);
    expect([answer.status, answer.body.error.code]).toEqual([409, 2017]);
  });

  test("a participant without the group's service: 409/2017", async () => {
    const { chatId } = await createTestGroup(account, 3);
    const android = await createTestPhone(account, { platform: "android_rcs" });
    const { status, body } = await add(chatId, android);
    expect([status, body.error.code]).toEqual([409, 2017]);
  });

  test("our own line, removing a non-member, adding a member, one of the last three: 409/2015", async () => {
    const { chatId, first } = await createTestGroup(account, 2);
    const answers = [
      await remove(chatId, account.line),
      await remove(chatId, "+15550001111"),
      await add(chatId, first),
      await remove(chatId, first),
      await leave(chatId),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      answers.map(() => [409, 2015]),
    );
  });
});

test("the rules hold for any sequence: never fewer than three, never one twice, and all ends as accepted", async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => createTestPhone(account)));
  const step = fc.record({
    what: fc.constantFrom("add" as const, "remove" as const, "leave" as const),
    who: fc.constantFrom(...people),
    waits: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const [first = "", ...others] = people;
      const { chatId } = await writeAs(account, first, {
        to: account.line,
        also_to: others.slice(0, 2),
        text: "begin",
      });
      const active = new Set([account.line, ...people.slice(0, 3)]);
      let hasLeft = false;

      for (const { what, who, waits } of steps) {
        const isAllowed = {
          add: !active.has(who) && active.size >= 3,
          remove: active.has(who) && active.size > 3,
          leave: active.size > 3,
        }[what];
        const isRefused = hasLeft || !isAllowed;
        const { status } = await { add, remove, leave }[what](chatId, who);
        expect(status).toBe(isRefused ? 409 : 202);
        if (isRefused) continue;
        if (what === "add") active.add(who);
        else active.delete(what === "leave" ? account.line : who);
        hasLeft ||= what === "leave";
        if (waits) await untilDone(chatId);
      }

      await untilDone(chatId);
      const shown = Object.entries(await membersOf(account, chatId));
      const left = shown.flatMap(([handle, status]) => (status === "active" ? handle : []));
      expect(left.sort()).toEqual([...active].sort());
      expect(left.length).toBeGreaterThanOrEqual(3);
      if (!hasLeft) await callApi(`POST /v3/chats/${chatId}/leave`, { token: account.token });
      await untilDone(chatId);
    }),
    { numRuns: 12 },
  );
});
