import "@/lib/testing/use-test-database";
import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/platform/database/db";
import { changeOptOut } from "@/lib/recipients/opt-outs/change-opt-out";
import { decideHint, reopenHint } from "@/lib/recipients/opt-outs/decide-hint";
import { listHints } from "@/lib/recipients/opt-outs/list-hints";
import { exportOptOuts, ListOptOuts, listOptOuts } from "@/lib/recipients/opt-outs/list-opt-outs";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { createTestGroup } from "@/lib/testing/test-chats";

let account: TestAccount;
let phone: string;
let chatId: string;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
});

const write = (text: string) => writeAs(account, phone, { to: account.line, text });
const send = (more: object = {}) =>
  callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account.token,
    body: { message: { parts: [{ type: "text", value: "hello" }] }, ...more },
  });
const list = async (state: "open" | "all" = "open", limit = 50, cursor?: string) =>
  listOptOuts(account.context(), { query: { state, limit, cursor, handle: undefined } });
const hints = async () =>
  (await listHints(account.context(), { query: { limit: 50, cursor: undefined } })).hints;
const statusOf = async () => (await prisma().chat.findFirstOrThrow({ where: { id: chatId } })).healthStatus;

describe("evidence", () => {
  test("of a keyword: the message, the word, the chat, and who overrode it", async () => {
    const { messageId } = await write(" STOP ");
    const override = await send({ override_optout: true });

    expect((await list()).opt_outs).toMatchObject([
      {
        handle: phone,
        cause: "keyword",
        keyword: "STOP",
        chat_id: chatId,
        message_id: messageId,
        by: null,
        ended_at: null,
        overrides: [
          { message_id: override.body.message.id, chat_id: chatId, by: { type: "api", name: "test" } },
        ],
      },
    ]);
  });

  test("of its end: the message that cleared it; both stay in the history", async () => {
    await write("STOP");
    const { messageId } = await write("hello again");
    expect((await list()).opt_outs).toEqual([]);
    await write("QUIT");
    expect((await list("all")).opt_outs).toMatchObject([
      { keyword: "QUIT", ended_at: null },
      { keyword: "STOP", end_cause: "message", end_message_id: messageId },
    ]);
  });

  test("a keyword in a group neither begins nor ends an opt-out", async () => {
    const group = await createTestGroup(account, 2);
    const also_to = group.phones.slice(1);
    const inGroup = (text: string) => writeAs(account, group.first, { to: account.line, also_to, text });
    await inGroup("STOP");
    expect((await list("all")).opt_outs).toEqual([]);

    await writeAs(account, group.first, { to: account.line, text: "STOP" });
    await inGroup("QUIT");
    expect((await list("all")).opt_outs).toMatchObject([
      { handle: group.first, keyword: "STOP", ended_at: null },
    ]);
    await inGroup("see you there");
    expect((await list("all")).opt_outs).toMatchObject([{ keyword: "STOP", end_cause: "message" }]);
  });

  test("a repeated keyword keeps the first evidence", async () => {
    const { messageId } = await write("STOP");
    await write("END");
    expect((await list("all")).opt_outs).toMatchObject([{ keyword: "STOP", message_id: messageId }]);
  });

  test("is found by the number however it is written, and exported as shown", async () => {
    await write("STOP");
    await send({ override_optout: true });
    const written = `${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`;
    const found = async (handle: string) =>
      (await listOptOuts(account.context(), { query: ListOptOuts.query.parse({ handle }) })).opt_outs;
    expect(await found(written)).toMatchObject([{ handle: phone }]);
    expect(await found("+15550000000")).toEqual([]);

    const { pages } = await exportOptOuts.run(account.context(), { query: { state: "open" } });
    expect(await pages.next()).toMatchObject({
      value: [{ handle: phone, cause: "keyword", keyword: "STOP", by: null, last_override_by: "test" }],
    });
  });

  test("is listed page by page, none twice", async () => {
    for (let n = 0; n < 3; n++) {
      await write("STOP");
      await write("go on");
    }
    const first = await list("all", 2);
    const second = await list("all", 2, first.next_cursor ?? "");
    const ids = [...first.opt_outs, ...second.opt_outs].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(second.next_cursor).toBeNull();
  });
});

describe("a message that nearly asks to stop", () => {
  test("does not opt out, and waits for a person with what was written", async () => {
    const { messageId } = await write("stop please");
    expect((await send()).status).toBe(202);
    expect(await hints()).toMatchObject([
      { handle: phone, chat_id: chatId, message_id: messageId, word: "stop", text: "stop please" },
    ]);
  });

  test("opts out when a person decides so, as evidence shows; the next message ends it", async () => {
    const { messageId } = await write("Stop");
    const [hint] = await hints();
    const input = { params: { hintId: hint?.id ?? "" }, body: { decision: "opted_out" } } as const;
    await decideHint(account.context(), input);

    expect((await send()).body.error.code).toBe(2024);
    expect(await statusOf()).toBe("OPTED_OUT");
    expect((await list()).opt_outs).toMatchObject([
      { cause: "person", message_id: messageId, by: { type: "system" } },
    ]);
    expect(await hints()).toEqual([]);
    await expect(decideHint(account.context(), input)).rejects.toMatchObject({ errorName: "name_unknown" });

    await write("hello");
    expect((await send()).status).toBe(202);
  });

  test("is dismissed without a trace but the record", async () => {
    await write("REVOKE");
    const [hint] = await hints();
    await decideHint(account.context(), {
      params: { hintId: hint?.id ?? "" },
      body: { decision: "dismissed" },
    });
    expect(await hints()).toEqual([]);
    expect((await send()).status).toBe(202);
    expect(
      await prisma().auditEntry.count({
        where: { accountId: account.ref.id, action: "opt_out_hint.dismissed" },
      }),
    ).toBe(1);
  });
});

describe("by hand", () => {
  const change = (opted_out: boolean) =>
    changeOptOut(account.context(), { body: { handle: phone, opted_out, note: "by phone" } });

  test("a recipient is opted out and in again, with evidence and on record", async () => {
    await change(true);
    expect((await send()).body.error.code).toBe(2024);
    await expect(change(true)).rejects.toMatchObject({
      errorName: "state_conflict",
      message: expect.stringContaining(`${phone} is already opted out`),
    });
    await change(false);
    await expect(change(false)).rejects.toMatchObject({
      errorName: "state_conflict",
      message: expect.stringContaining(`${phone} is not opted out`),
    });
    expect((await send()).status).toBe(202);

    expect((await list("all")).opt_outs).toMatchObject([{ cause: "person", end_cause: "person" }]);
    const entries = await prisma().auditEntry.findMany({
      where: { accountId: account.ref.id, objectType: "handle" },
      orderBy: { id: "asc" },
    });
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ["opt_out.set", { note: "by phone" }],
      ["opt_out.ended", { note: "by phone" }],
    ]);
  });

  test("comes with the two messages before it, and is found by its handle", async () => {
    await write("when do you open");
    await send();
    await write("stop please");
    const [hint] = await hints();
    expect(hint?.context).toMatchObject([
      { text: "when do you open", is_from_me: false },
      { text: "hello", is_from_me: true },
    ]);
    const of = (handle: string) => listHints(account.context(), { query: { handle, limit: 50 } });
    expect((await of(phone)).hints).toHaveLength(1);
    expect((await of("+15550109999")).hints).toEqual([]);
  });

  test("waits again after undo: the opt-out that the decision began ends, and the undo is audited", async () => {
    await write("Stop");
    const [hint] = await hints();
    const params = { hintId: hint?.id ?? "" };
    await decideHint(account.context(), { params, body: { decision: "opted_out" } });
    await reopenHint(account.context(), { params });
    expect(await hints()).toMatchObject([{ id: params.hintId }]);
    expect((await send()).status).toBe(202);
    expect((await list("all")).opt_outs).toMatchObject([{ cause: "person", end_cause: "person" }]);
    const audited = { accountId: account.ref.id, action: "opt_out_hint.reopened" };
    expect(await prisma().auditEntry.count({ where: audited })).toBe(1);
    await expect(reopenHint(account.context(), { params })).rejects.toMatchObject({
      errorName: "name_unknown",
    });
  });

  test("an opt-out with other evidence outlasts the undo", async () => {
    await write("Stop");
    const [hint] = await hints();
    const params = { hintId: hint?.id ?? "" };
    await changeOptOut(account.context(), { body: { handle: phone, opted_out: true, note: "called" } });
    await decideHint(account.context(), { params, body: { decision: "opted_out" } });
    await reopenHint(account.context(), { params });
    expect((await send()).body.error.code).toBe(2024);
  });

  test("a decided one is quoted as the evidence of the opt-out", async () => {
    await write("please stop this");
    const [hint] = await hints();
    await decideHint(account.context(), {
      params: { hintId: hint?.id ?? "" },
      body: { decision: "opted_out" },
    });
    expect((await list()).opt_outs).toMatchObject([{ words: "please stop this" }]);
  });
});
