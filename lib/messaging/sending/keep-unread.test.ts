import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import * as MESSAGES from "@/app/api/chats/[chatId]/messages/route";
import { advanceMessage } from "@/lib/messaging/dispatch/advance-message";
import { Claimer } from "@/lib/messaging/dispatch/claim/claim-messages";
import { storeAdvance } from "@/lib/messaging/dispatch/store-advance";
import { prisma } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { runDue, textOf } from "@/lib/testing/conversations/scheduled-bench";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { advanceClock, createTestPhone, freezeClock, writeAs } from "@/lib/testing/factories";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

/** Has the transport accept all that waits. */
async function dispatch(): Promise<void> {
  for (const was of await new Claimer(32).claim(100)) {
    const at = now();
    const advance = advanceMessage(was, { type: "sent", at, service: "iMessage" });
    const attempt = was.attempt;
    await storeAdvance({ was, advance, attempt, dispatchAt: null, refs: [], groupRef: null, at });
  }
}

async function openChat() {
  const account = await createTestAccount({ type: "sandbox" });
  const phone = await createTestPhone(account);
  const says = (text: string) => writeAs(account, phone, { to: account.line, text });
  const { chatId, messageId } = await says("When do you open?");
  const stateOf = async () => {
    const { isUnread, needsReply } = await prisma().chat.findFirstOrThrow({ where: { id: chatId } });
    return { isUnread, needsReply };
  };
  return { account, chatId, says, seen: messageId, stateOf };
}

const WAITS = { isUnread: true, needsReply: true };
const ANSWERED = { isUnread: false, needsReply: false };

test("a held message answers only what its writer had seen; one that was not held answers all before it", async () => {
  const { account, chatId, says, seen, stateOf } = await openChat();
  const agent = await signInAs(account, "support");
  const send = async (value: string, more: object) => {
    const body = { message: textOf(value), ...more };
    const { status } = await agent.call(MESSAGES.POST, { method: "POST", params: { chatId }, body });
    expect(status).toBe(202);
    await dispatch();
  };

  const { messageId: second } = await says("On Sunday, I mean");
  await send("At nine", { last_message_id: seen });
  expect(await stateOf()).toEqual(WAITS);
  await send("On Sunday, too", { last_message_id: second });
  expect(await stateOf()).toEqual(ANSWERED);

  await says("Thanks");
  await send("You are welcome", { last_message_id: null });
  expect(await stateOf()).toEqual(WAITS);
  await send("Bye", {});
  expect(await stateOf()).toEqual(ANSWERED);
});

test("a scheduled message answers what was written before it was scheduled", async () => {
  freezeClock();
  const { account, chatId, says, stateOf } = await openChat();
  const schedule = async (value: string) => {
    const send_at = new Date(now().getTime() + 60_000).toISOString();
    const body = { message: textOf(value), send_at };
    const sent = await callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body });
    expect(sent.status).toBe(202);
  };
  const sendDue = async () => {
    advanceClock(60);
    await runDue();
    await dispatch();
  };

  advanceClock(1);
  await schedule("At nine");
  await sendDue();
  expect(await stateOf()).toEqual(ANSWERED);

  await says("And on Sunday?");
  advanceClock(1);
  await schedule("On Sunday, too");
  advanceClock(1);
  await says("Never mind, on Monday?");
  await sendDue();
  expect(await stateOf()).toEqual(WAITS);
  advanceClock(-123);
  freezeClock(false);
});
