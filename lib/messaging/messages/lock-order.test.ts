import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { emitEvents } from "@/lib/events/store/emit-event";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { addMember, removeMember } from "@/lib/messaging/groups/change-members";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import {
  acceptTestMessage,
  createDirectChat,
  createTestPhone,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { createTestGroup, membersOf } from "@/lib/testing/test-chats";

let account: TestAccount;
let dispatch: { stop(): Promise<void> } | undefined;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  const subscribed_events = ["message.sent", "message.received", "chat.typing_indicator.started"];
  const body = { target_url: "https://hooks.example.com/", subscribed_events };
  const { status } = await callApi("POST /v3/webhook-subscriptions", { token: account.token, body });
  expect(status).toBe(201);
});

afterEach(async () => {
  await dispatch?.stop();
  dispatch = undefined;
});

function holdChat(tx: Sql, chatId: string): Promise<unknown[]> {
  return tx.runText({
    text: "select from chats where account_id = $1 and id = $2 for no key update",
    values: [account.ref.id, chatId],
  });
}

/** Locks a chat, as every emitter of its events does, and emits an event once another transaction waits. */
async function emitWhileOthersWait(chatId: string, others: () => void): Promise<void> {
  await transaction(async (tx: Sql) => {
    await holdChat(tx, chatId);
    others();
    await untilLocked();
    const event = testEvent(account.ref.id, { type: "chat.typing_indicator.started", chatId });
    await emitEvents(tx, [event]);
  });
}

async function numbersIn(chatId: string): Promise<number> {
  const [row] = await sql.runText<{ last: string }>({
    text: "select last from webhook_sequences where account_id = $1 and chat_id = $2",
    values: [account.ref.id, chatId],
  });
  return Number(row?.last ?? 0);
}

test("a message that is handed over waits for its chat before its events are numbered", async () => {
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const before = await numbersIn(chatId);
  const id = await acceptTestMessage(account, chatId, "out");

  await emitWhileOthersWait(chatId, () => {
    dispatch = startDispatch(5000);
  });

  await untilStatus(account, id, "sent");
  // A deadlock would abort the statement and repeat the attempt.
  const [row] = await sql.runText({
    text: "select dispatch_attempts from messages where id = $1",
    values: [id],
  });
  expect(row).toEqual({ dispatch_attempts: 1 });
  expect(await numbersIn(chatId)).toBe(before + 2);
});

test("a message that comes waits for its chat before its events are numbered", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const before = await numbersIn(chatId);
  let written: Promise<unknown> = Promise.resolve();

  await emitWhileOthersWait(chatId, () => {
    written = writeAs(account, phone, { to: account.line, text: "in" });
  });

  await written;
  expect(await numbersIn(chatId)).toBe(before + 2);
});

test("a member who goes or comes waits for the chat before anything of it is written", async () => {
  const { chatId, phones } = await createTestGroup(account, 4);
  const member = phones[3] ?? "";
  const [line] = await sql.runText<{ id: string }>({
    text: "select id from lines where account_id = $1",
    values: [account.ref.id],
  });
  const ids = { accountId: account.ref.id, lineId: line?.id ?? "", chatId };
  const changed = { ...ids, traceId: newTraceId(), at: now() };
  const changes = {
    removed: (tx: Sql) => removeMember(tx, changed, member, "removed"),
    active: (tx: Sql) => addMember(tx, changed, member),
  };
  for (const [status, change] of Object.entries(changes)) {
    const ended = await transaction(async (tx: Sql) => {
      await holdChat(tx, chatId);
      const changing = transaction(change);
      await untilLocked();
      // Takes the locks in the order that a message from the member does. In the other order the transactions would
      // deadlock.
      await tx.runText({
        text: "update participants set service = 'SMS' where account_id = $1 and chat_id = $2 and handle = $3",
        values: [account.ref.id, chatId, member],
      });
      return { changing };
    });
    await ended.changing;
    expect(await membersOf(account, chatId)).toMatchObject({ [member]: status });
  }
});
