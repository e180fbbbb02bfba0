import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { findOwnLine } from "@/lib/lines/lines/find-line";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import type { Line } from "@/lib/platform/prisma/client";
import { participantsKey } from "@/lib/recipients/handles/participants-key";

/** The conversation that a simulated phone writes to or reads, as the network identifies it. */
export interface Conversation {
  line: LineRef;
  isUp: boolean;
  /** null = direct. */
  groupRef: string | null;
  /** Group members besides the line and the phone. */
  others: string[];
}

/**
 * Finds a phone's conversation by a chat id, or by a line's number and the other members of a group. Errors:
 * chat_not_found, access_denied, line_not_permitted, parameter_invalid (a phone that is not in the chat),
 * state_conflict (the line has left).
 */
export async function findConversation(
  ctx: Context,
  handle: string,
  to: string,
  alsoTo: readonly string[] = [],
): Promise<Conversation> {
  if (!to.startsWith("+")) return conversationOfChat(ctx, handle, to);

  const line = await findOwnLine(ctx, to);
  const others = [...new Set(alsoTo)].filter((other) => other !== handle && other !== line.phoneNumber);
  const groupRef = others.length === 0 ? null : await groupRefOf(ctx, line, [handle, ...others]);
  return { line: toLineRef(line), isUp: line.isUp, groupRef, others };
}

async function conversationOfChat(ctx: Context, handle: string, chatId: string): Promise<Conversation> {
  const chat = await prisma().chat.findUnique({
    where: { accountId_id: { accountId: ctx.account.id, id: chatId } },
    include: { line: true, participants: { where: { isMe: false, status: "active" } } },
  });
  if (chat === null) return throwNotFoundOrDenied(chatId);
  if (chat.leftAt !== null)
    fail("state_conflict", "the line has left this chat and receives no messages in it");
  const members = chat.participants.map((participant) => participant.handle);
  if (!members.includes(handle)) fail("parameter_invalid", `${handle} is not in this chat`);

  const { line } = chat;
  if (!chat.isGroup) return { line: toLineRef(line), isUp: line.isUp, groupRef: null, others: [] };
  const groupRef = chat.transportRef ?? (await nameGroup(ctx, chat.id));
  return {
    line: toLineRef(line),
    isUp: line.isUp,
    groupRef,
    others: members.filter((member) => member !== handle),
  };
}

async function groupRefOf(ctx: Context, line: Line, members: string[]): Promise<string> {
  const accountId = ctx.account.id;
  const chat = await prisma().chat.findFirst({
    where: { accountId, lineId: line.id, participantsKey: participantsKey(members) },
    select: { id: true, transportRef: true },
  });
  if (chat === null) return `group-${newId(ctx.now.getTime())}`;
  return chat.transportRef ?? nameGroup(ctx, chat.id);
}

// The partner may not have sent to this group yet. Its first message may also come from a phone.
async function nameGroup(ctx: Context, chatId: string): Promise<string> {
  const accountId = ctx.account.id;
  await prisma().chat.updateMany({
    where: { accountId, id: chatId, transportRef: null },
    data: { transportRef: `group-${chatId}` },
  });
  const chat = await prisma().chat.findUniqueOrThrow({
    where: { accountId_id: { accountId, id: chatId } },
    select: { transportRef: true },
  });
  return chat.transportRef ?? `group-${chatId}`;
}

function toLineRef({ accountId, id, phoneNumber, lineType }: Line): LineRef {
  return { accountId, id, phoneNumber, lineType };
}
