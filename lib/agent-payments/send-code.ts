import "server-only";
import { findThread, type Thread } from "@/lib/agent-payments/find-thread";
import { openChat } from "@/lib/chats/open-chat";
import { secretTextPart } from "@/lib/messages/secret-text";
import { acceptContent } from "@/lib/messages/send-message";
import type { Context } from "@/lib/platform/context";
import { prisma, type Sql } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";

/** A one-time code on its way to a customer. */
export interface CodeToSend {
  handle: string;
  code: string;
  thread: Thread;
  /** Who asks: the account's partner. */
  asker: string;
}

/** Where a code goes and who asks, found before the transaction that sends it. Errors: state_conflict. */
export async function prepareCode(ctx: Context, handle: string, code: string): Promise<CodeToSend> {
  const where = { id: ctx.account.partnerId };
  const [thread, { name }] = await Promise.all([
    findThread(ctx, handle),
    prisma().partner.findUniqueOrThrow({ where, select: { name: true } }),
  ]);
  return { handle, code, thread, asker: name };
}

/**
 * Sends a code through the thread, in the caller's transaction. Only the customer reads it: to everybody else the message
 * shows dots. Errors: those of a send (opted_out, recipient_blocked, recipient_not_allowed, line_restricted …).
 */
export async function sendCode(
  tx: Sql,
  ctx: Context,
  { handle, code, thread, asker }: CodeToSend,
): Promise<void> {
  const chatId = thread.chatId ?? (await openThread(tx, ctx, thread.line, handle));
  const sentence = `is your code to let ${asker} pay for you. Reply with it to agree. It is good for 10 minutes; ignore this message if you did not ask for it.`;
  const shown = `•••••• ${sentence}`;
  const messageId = newId(ctx.now.getTime());
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
