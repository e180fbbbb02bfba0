import "server-only";
import { openChat } from "@/lib/messaging/chats/open-chat";
import { secretTextPart } from "@/lib/messaging/content/secret-text";
import { introduceRecipients } from "@/lib/messaging/sending/recipient-port";
import { acceptContent } from "@/lib/messaging/sending/send-message";
import { findThread, type Thread } from "@/lib/payments/connections/find-thread";
import { countCode } from "@/lib/payments/connections/limit-codes";
import type { Context } from "@/lib/platform/context";
import { prisma, type Sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";

/**
 * The purpose of a code. The customer sends a consent code back to the line, and enters a passkey code on the attach
 * page.
 */
type CodePurpose = "consent" | "passkey";

const SENTENCES = {
  consent: (asker) =>
    `is your code to let ${asker} pay on your behalf. Reply with the code to agree. The code expires in 10 minutes. If you didn't request it, ignore this message.`,
  passkey: (asker) =>
    `is your code to create a passkey for payments by ${asker}. Enter it only on the page that asks for it. Anyone with this code can approve payments on your behalf, so don't share it, not even in this conversation. The code expires in 10 minutes. If you didn't request it, ignore this message.`,
} as const satisfies Record<CodePurpose, (asker: string) => string>;

/** A one-time code to send to a customer. */
export interface CodeToSend {
  purpose: CodePurpose;
  handle: string;
  code: string;
  thread: Thread;
  /** The name of the account's partner, which requests the code. */
  asker: string;
}

/**
 * Finds the thread and the requester of a code before the transaction that sends it. Errors: state_conflict,
 * recipient_not_allowed (a line).
 */
export async function prepareCode(
  ctx: Context,
  { purpose, handle, code }: Pick<CodeToSend, "purpose" | "handle" | "code">,
): Promise<CodeToSend> {
  const where = { id: ctx.account.partnerId };
  await introduceRecipients(ctx, [handle]);
  const [thread, { name }] = await Promise.all([
    findThread(ctx, handle),
    prisma().partner.findUniqueOrThrow({ where, select: { name: true } }),
  ]);
  if (thread.chatId === null && thread.line.phoneNumber === handle) {
    fail("recipient_not_allowed", "this number is a line of the account, not a customer");
  }
  return { purpose, handle, code, thread, asker: name };
}

/**
 * Sends a code through the thread, in the caller's transaction. Only the customer can read it: everywhere else the
 * message shows dots. Errors: rate_limited (CODES_PER_HOUR), and those of a send (opted_out, recipient_blocked,
 * recipient_not_allowed, line_restricted …).
 */
export async function sendCode(
  tx: Sql,
  ctx: Context,
  { purpose, handle, code, thread, asker }: CodeToSend,
): Promise<void> {
  await countCode(tx, ctx);
  const chatId = thread.chatId ?? (await openThread(tx, ctx, thread.line, handle));
  const sentence = SENTENCES[purpose](asker);
  const shown = `•••••• ${sentence}`;
  const messageId = newId(ctx.now.getTime(), ctx.account.id, "message");
  const content = { parts: [{ type: "text" as const, value: shown }] };
  const parts = [secretTextPart({ accountId: ctx.account.id, messageId }, `${code} ${sentence}`, shown)];
  await acceptContent(ctx, chatId, { messageId, content, parts }, false, tx);
  tx.wake("messages");
}

async function openThread(
  tx: Sql,
  ctx: Context,
  line: Extract<Thread, { chatId: null }>["line"],
  handle: string,
): Promise<string> {
  const { chatId } = await openChat(tx, {
    accountId: ctx.account.id,
    line,
    recipients: [handle],
    service: line.lineType,
    traceId: ctx.traceId,
    at: ctx.now,
  });
  return chatId;
}
