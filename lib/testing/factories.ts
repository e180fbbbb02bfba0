import type { z } from "zod";
import { toWholeData } from "@/lib/events/store/stored-data";
import type { MessageContent } from "@/lib/messaging/content/message-content";
import { getMessage } from "@/lib/messaging/messages/get-message";
import type { MessageEventData } from "@/lib/messaging/messages/message-event-data";
import { sendMessage } from "@/lib/messaging/sending/send-message";
import { sql } from "@/lib/platform/database/db";
import { wake } from "@/lib/platform/database/wake";
import { now, setClock } from "@/lib/platform/time/clock";
import { readOnPhone } from "@/lib/simulator/phone-actions/read-on-phone";
import { writeFromPhone } from "@/lib/simulator/phone-actions/write-from-phone";
import { createPhone } from "@/lib/simulator/phones/create-phone";
import type { TestAccount } from "@/lib/testing/create-test-account";
import { until } from "@/lib/testing/until";

let phones = 0;

/**
 * Creates a simulated phone with its own number: an iPhone that reports receipts immediately, unless `more` differs.
 */
export async function createTestPhone(
  account: TestAccount,
  more: Omit<Parameters<typeof createPhone>[1], "handle"> = {},
): Promise<string> {
  const handle = `+1666${String(1_000_000 + ++phones)}`;
  await createPhone(account.context(), { handle, delay_ms: 0, ...more });
  return handle;
}

/** Changes the behavior of a simulated phone. */
export async function changeTestPhone(
  account: TestAccount,
  handle: string,
  more: Omit<Parameters<typeof createPhone>[1], "handle">,
): Promise<void> {
  await createPhone(account.context(), { handle, ...more });
}

/** Creates a direct chat that the phone started by writing to the account's line. */
export async function createDirectChat(account: TestAccount, handle: string): Promise<string> {
  return (await writeAs(account, handle, { to: account.line, text: "hello" })).chatId;
}

/** Sends a message from a simulated phone. Fails if the message is dropped. */
export async function writeAs(
  account: TestAccount,
  handle: string,
  body: Parameters<typeof writeFromPhone>[2],
): Promise<{ chatId: string; messageId: string }> {
  const { chat_id, message_id } = await writeFromPhone(account.context(), handle, body);
  if (chat_id === null || message_id === null) throw new Error(`${handle} is blocked`);
  return { chatId: chat_id, messageId: message_id };
}

/** Opens a chat on a simulated phone, which marks its received messages as read. */
export async function readAs(account: TestAccount, handle: string, chatId: string): Promise<void> {
  const input = { params: { handle }, query: undefined, body: { chat_id: chatId } };
  await readOnPhone(account.context(), input);
}

/** Accepts a message for sending. Returns its id. */
export async function acceptTestMessage(
  account: TestAccount,
  chatId: string,
  text = "hello",
  more: Partial<z.infer<typeof MessageContent>> = {},
): Promise<string> {
  const message = { parts: [{ type: "text" as const, value: text }], ...more };
  const body = { message, override_optout: false };
  const input = { params: { chatId }, query: undefined, body };
  return (await sendMessage(account.context(), input)).message.id;
}

/** Returns a message as the API does. */
export function readMessage(account: TestAccount, messageId: string) {
  return getMessage(account.context(), { params: { messageId }, query: undefined, body: undefined });
}

interface MessageEventRow {
  type: string;
  data: MessageEventData & { failure?: { code: number; reason: string; failed_at: string } };
  trace_id: string;
}

/** Returns the partner-facing events about a message, in order. */
export async function eventsOfMessage(account: TestAccount, messageId: string): Promise<MessageEventRow[]> {
  const rows = await sql.runText<MessageEventRow>({
    text: `select type, data, trace_id from events
           where account_id = $1 and message_id = $2 and not internal order by seq`,
    values: [account.ref.id, messageId],
  });
  return rows.map((row) => ({ ...row, data: toWholeData(row.data) as MessageEventRow["data"] }));
}

/** Waits until a message has the given delivery_status. */
export function untilStatus(account: TestAccount, messageId: string, status: string) {
  return until(async () => {
    const message = await readMessage(account, messageId);
    return message.delivery_status === status && message;
  });
}

const shared = globalThis as typeof globalThis & {
  trunklineTestClockAheadMs?: number;
  trunklineTestClockFrozenAt?: Date | null;
};

/** Advances this process's platform clock, which may be frozen, and wakes work that becomes due. */
export function advanceClock(seconds: number): void {
  const ms = seconds * 1000;
  const frozenAt = shared.trunklineTestClockFrozenAt ?? null;
  shared.trunklineTestClockAheadMs = (shared.trunklineTestClockAheadMs ?? 0) + ms;
  applyClock(frozenAt && new Date(frozenAt.getTime() + ms));
  wake("messages");
  wake("simulator");
  wake("deliveries");
  wake("turns");
}

/** Freezes this process's platform clock or lets it run again. A frozen clock moves only with `advanceClock`. */
export function freezeClock(isFrozen = true): void {
  applyClock(isFrozen ? now() : null);
}

function applyClock(frozenAt: Date | null): void {
  shared.trunklineTestClockFrozenAt = frozenAt;
  setClock({ offsetMs: shared.trunklineTestClockAheadMs ?? 0, frozenAt });
}
