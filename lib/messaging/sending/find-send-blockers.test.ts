import "@/lib/testing/use-test-database";
import { beforeEach, describe, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { FindSendBlockers, findSendBlockers } from "@/lib/messaging/sending/find-send-blockers";
import { prisma, sql } from "@/lib/platform/database/db";
import { changeOptOut } from "@/lib/recipients/opt-outs/change-opt-out";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { advanceClock, createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";

let account: TestAccount;
let phone: string;
let chatId: string;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
});

const send = () =>
  callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account.token,
    body: { message: { parts: [{ type: "text", value: "hello" }] } },
  });
const find = async (query: object, of = account) =>
  (await findSendBlockers(of.context(), { query: FindSendBlockers.query.parse(query) })).places;
const ofChat = async () => (await find({ chat_id: chatId }))[0]?.sendBlockers;
const block = () =>
  callApi("POST /v3/blocked_handles", { token: account.token, body: { handle: phone, reason: "abusive" } });

describe("a chat", () => {
  test("that can be written to has no send blocker; found in one statement", async () => {
    expect(await find({ chat_id: chatId })).toEqual([
      { chat_id: chatId, line: account.line, sendBlockers: [] },
    ]);
    expect(await countStatements(() => find({ chat_id: chatId }))).toBe(1);
  });

  test("with a recipient who opted out names the keyword and the message that contains it", async () => {
    const { messageId } = await writeAs(account, phone, { to: account.line, text: "STOP" });
    expect(await ofChat()).toMatchObject([
      {
        reason: "opted_out",
        refuses: true,
        detail: "STOP",
        by: null,
        message_id: messageId,
        chat_id: chatId,
      },
    ]);
  });

  test.each([
    ["blocked", () => block()],
    [
      "opted_out",
      () => changeOptOut(account.context(), { body: { handle: phone, opted_out: true, note: "called" } }),
    ],
    ["line_flagged", () => prisma().line.updateMany({ data: { status: "FLAGGED" } })],
    ["chat_left", () => prisma().chat.updateMany({ data: { leftAt: new Date() } })],
    ["never_wrote", () => sql.runText({ text: "delete from line_contacts", values: [] })],
  ])("says %s with the code that a send answers", async (reason, arrange) => {
    await arrange();
    const refused = await send();
    expect(await ofChat()).toMatchObject([{ reason, refuses: true, code: refused.body.error.code }]);
  });

  test("blocked by a token that no longer exists has a blocker without the token's name", async () => {
    await block();
    expect(await ofChat()).toMatchObject([{ by: { type: "api", name: "test" } }]);
    await sql.runText({ text: "update contacts set blocked_by_id = $1", values: [chatId] });
    expect(await ofChat()).toMatchObject([{ by: { type: "api", name: null } }]);
  });

  test("names first what a send meets first", async () => {
    await writeAs(account, phone, { to: account.line, text: "STOP" });
    await block();
    const refused = await send();
    const reasons = await ofChat();
    expect(reasons?.map(({ reason }) => reason)).toEqual(["blocked", "opted_out"]);
    expect(refused.body.error.code).toBe(reasons?.[0]?.code);
  });

  test("that had its sends of a minute says when the next may go, until then", async () => {
    await updateAccountOptions(account.context(), { body: { pair_messages: 1 } });
    await send();
    expect((await send()).status).toBe(429);
    const [full] = (await ofChat()) ?? [];
    expect(full).toMatchObject({ reason: "pair_limit", code: 1007 });
    expect(Date.parse(full?.at ?? "")).toBeGreaterThan(Date.now());
    advanceClock(61);
    expect(await ofChat()).toEqual([]);
  });

  test("whose line is down is not refused, and says so", async () => {
    await prisma().line.updateMany({ data: { isUp: false } });
    expect((await send()).status).toBe(202);
    expect(await ofChat()).toMatchObject([{ reason: "line_down", refuses: false }]);
  });

  test("of another account is not found", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    await expect(find({ chat_id: chatId }, other)).rejects.toMatchObject({ errorName: "access_denied" });
  });
});

describe("a handle", () => {
  test("tells each of its chats, however the number is written", async () => {
    await block();
    const written = `${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`;
    expect(await find({ handle: written })).toMatchObject([
      { chat_id: chatId, line: account.line, sendBlockers: [{ reason: "blocked", detail: "abusive" }] },
    ]);
  });

  test("without a chat tells what is known of it, and nothing of another account", async () => {
    const handle = "+15550109009";
    await changeOptOut(account.context(), { body: { handle, opted_out: true, note: "called" } });
    expect(await find({ handle })).toMatchObject([
      {
        chat_id: null,
        line: null,
        sendBlockers: [
          { reason: "opted_out", by: { type: "system" } },
          { reason: "never_wrote", code: 2008, refuses: true },
        ],
      },
    ]);
    const other = await createTestAccount({ type: "sandbox" });
    expect(await find({ handle }, other)).toMatchObject([
      { chat_id: null, line: null, sendBlockers: [{ reason: "never_wrote", code: 2008 }] },
    ]);
    const production = await createTestAccount({ type: "production" });
    expect(await find({ handle }, production)).toEqual([{ chat_id: null, line: null, sendBlockers: [] }]);
  });
});
