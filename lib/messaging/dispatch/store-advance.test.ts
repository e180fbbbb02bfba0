import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { lockChat } from "@/lib/messaging/chats/lock-chat";
import { advanceMessage } from "@/lib/messaging/dispatch/advance-message";
import { Claimer } from "@/lib/messaging/dispatch/claim/claim-messages";
import { storeAdvance } from "@/lib/messaging/dispatch/store-advance";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { acceptTestMessage, createTestPhone, writeAs } from "@/lib/testing/factories";

/** Answers a customer while `change` holds their chat's lock. Returns whether the chat is unread afterwards. */
async function isUnreadAfter(
  change: (tx: Sql, chat: { accountId: string; chatId: string }) => Promise<unknown>,
) {
  const account = await createTestAccount({ type: "sandbox" });
  const { chatId } = await writeAs(account, await createTestPhone(account), {
    to: account.line,
    text: "first",
  });
  const id = await acceptTestMessage(account, chatId, "our answer");
  const was = (await new Claimer(32).claim(100)).find((message) => message.id === id);
  if (was === undefined) throw new Error("not claimed");
  const at = now();
  const advance = advanceMessage(was, { type: "sent", at, service: "iMessage" });
  const chat = { accountId: account.ref.id, chatId };

  const { storing } = await transaction(async (tx) => {
    await lockChat(tx, chat);
    await change(tx, chat);
    const storing = storeAdvance({
      was,
      advance,
      attempt: was.attempt,
      dispatchAt: null,
      refs: [],
      groupRef: null,
      at,
    });
    await untilLocked();
    return { storing };
  });

  expect(await storing).not.toBeNull();
  const [row] = await sql.runText<{ is_unread: boolean }>({
    text: "select is_unread from chats where account_id = $1 and id = $2",
    values: [chat.accountId, chatId],
  });
  return row?.is_unread;
}

async function storeInbound(tx: Sql, { accountId, chatId }: { accountId: string; chatId: string }) {
  await tx.runText({
    text: `insert into messages select (jsonb_populate_record(m, jsonb_build_object('id', $3::text,
             'position', (select max(position) + 1 from messages where account_id = $1 and chat_id = $2)))).*
           from messages m where account_id = $1 and chat_id = $2 and not is_from_me`,
    values: [accountId, chatId, newId(now().getTime())],
  });
  await tx.runText({
    text: "update chats set is_unread = true where account_id = $1 and id = $2",
    values: [accountId, chatId],
  });
}

test("a chat stays unread when a message is being stored while the outcome of our answer waits for the chat", async () => {
  expect(await isUnreadAfter(storeInbound)).toBe(true);
});

test("a chat that was read meanwhile stays read", async () => {
  const read = ({ accountId, chatId }: { accountId: string; chatId: string }) => ({
    text: "update chats set is_unread = false where account_id = $1 and id = $2",
    values: [accountId, chatId],
  });
  expect(await isUnreadAfter((tx, chat) => tx.runText(read(chat)))).toBe(false);
});

test("an answer that only waited for the chat marks it as read", async () => {
  expect(await isUnreadAfter(async () => undefined)).toBe(false);
});
