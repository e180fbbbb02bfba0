import "@/lib/testing/use-test-database";
import { afterEach, beforeAll, expect, test } from "vitest";
import { allTransports } from "@/lib/adapters/transports/registry";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { acceptMessage, type NewMessage } from "@/lib/messaging/sending/accept/accept-message";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { newId, newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { acceptTestMessage, createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});
afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()));
  running = [];
});

async function newChat(): Promise<string> {
  return createDirectChat(account, await createTestPhone(account));
}

function messageOf(chatId: string, idempotencyKey: string): NewMessage {
  const at = now();
  return {
    accountId: account.ref.id,
    isSandbox: true,
    chatId,
    id: newId(at.getTime()),
    eventId: newId(at.getTime()),
    parts: JSON.stringify([{ type: "text", value: "from another instance", text_decorations: null }]),
    effect: null,
    replyTo: null,
    repliedTo: null,
    preferredService: null,
    idempotencyKey,
    overrideOptout: false,
    actor: { type: "system", id: null },
    traceId: newTraceId(),
    requestedAt: at,
  };
}

test("a key that another instance commits between the look and the insert answers that instance's message", async () => {
  const chatId = await newChat();
  const theirs = messageOf(chatId, "raced");
  const message = { parts: [{ type: "text", value: "ours" }], idempotency_key: "raced" };

  const ours = await transaction(async (tx) => {
    await acceptMessage(theirs, tx);
    const answer = callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body: { message } });
    // The send has found no such key and now waits to insert its own.
    await untilLocked();
    return { answer };
  });

  const { status, body } = await ours.answer;
  expect([status, body.message.id]).toEqual([202, theirs.id]);
  expect(await prisma().message.count({ where: { idempotencyKey: "raced" } })).toBe(1);
});

test("a reply to a message of another chat is 404/2002, and nothing is stored", async () => {
  const [here, elsewhere] = [await newChat(), await newChat()];
  const [other] = await sql.runText<{ id: string }>({
    text: "select id from messages where chat_id = $1",
    values: [elsewhere],
  });
  const message = { parts: [{ type: "text", value: "a reply" }], reply_to: { message_id: other?.id } };
  const answer = await callApi(`POST /v3/chats/${here}/messages`, {
    token: account.token,
    body: { message },
  });
  expect([answer.status, answer.body.error.code]).toEqual([404, 2002]);
  expect(await prisma().message.count({ where: { chatId: here, isFromMe: true } })).toBe(0);
});

test("the lease of a message with a slow send is renewed, so no other worker claims it", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account, { fault: "slow_answer" }));
  for (const transport of allTransports()) if (transport.start) running.push(transport.start(inboundSink));
  running.push(startDispatch(5000));
  const id = await acceptTestMessage(account, chatId);
  const claimOf = async () => {
    const row = await prisma().message.findFirstOrThrow({ where: { id } });
    return { until: row.dispatchLeaseUntil?.getTime() ?? 0, attempts: row.dispatchAttempts };
  };
  await until(async () => (await claimOf()).until > 0);
  const first = await claimOf();

  await until(async () => (await claimOf()).until > first.until);

  expect((await claimOf()).attempts).toBe(1);
});
