import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { failNoLine, findOwnLine } from "@/lib/lines/lines/find-line";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import type { Context } from "@/lib/platform/context";
import { batched } from "@/lib/platform/database/batch";
import { prisma, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import type { Line } from "@/lib/platform/prisma/client";
import type { PhonePlatform } from "@/lib/platform/prisma/enums";
import { participantsKey } from "@/lib/recipients/handles/participants-key";
import { failNoPhone, findOnlinePhone, requireConnection } from "@/lib/simulator/phone";

/** The conversation that a simulated phone writes to or reads, as the network identifies it. */
export interface Conversation {
  line: LineRef;
  isUp: boolean;
  /** null = direct. */
  groupRef: string | null;
  /** Group members besides the line and the phone. */
  others: string[];
}

/** A phone that writes, and where it writes to. */
export interface Writer {
  handle: string;
  platform: PhonePlatform;
  conversation: Conversation;
}

/**
 * Finds the phone with a handle and its conversation. Phones that write to a line at the same time share one lookup.
 * Errors: name_unknown (no such phone), state_conflict (the phone is not online), and those of `findConversation`.
 */
export async function findWriter(
  ctx: Context,
  handle: string,
  to: string,
  alsoTo: readonly string[],
): Promise<Writer> {
  if (!to.startsWith("+") || alsoTo.length > 0) {
    const phone = await findOnlinePhone(ctx.account.id, handle);
    const conversation = await findConversation(ctx, phone.handle, to, alsoTo);
    return { handle: phone.handle, platform: phone.platform, conversation };
  }
  const accountId = ctx.account.id;
  const { platform, connection, line } = await findPhoneAndLine({ accountId, handle, phoneNumber: to });
  if (platform === null || connection === null) return failNoPhone(handle);
  requireConnection(handle, connection);
  if (line === null) return failNoLine(to);
  const ref = { accountId, id: line.id, phoneNumber: to, lineType: line.line_type };
  return { handle, platform, conversation: { line: ref, isUp: line.is_up, groupRef: null, others: [] } };
}

type PhoneAndLine = RowOf<"simulator-writers">;

interface WriterQuery {
  accountId: string;
  handle: string;
  phoneNumber: string;
}

const findPhoneAndLine = batched<WriterQuery, PhoneAndLine>({
  runOne: async (query) => (await selectPhonesAndLines([query]))[0] ?? NEITHER,
  runMany: selectPhonesAndLines,
  besideAfterMs: 1,
});

const NEITHER: PhoneAndLine = { platform: null, connection: null, line: null };

const SIMULATOR_WRITERS = statement(
  "simulator-writers",
  `select p.platform, p.connection, to_jsonb(l) as "line: { id: string; line_type: ServiceType; is_up: boolean }"
  from unnest(:accountIds::uuid[], :handles::text[], :phoneNumbers::text[]) with ordinality as t(account_id, handle, phone_number, ord)
  left join lateral (
    select platform, connection from simulator_phones p
    where p.account_id = t.account_id and p.handle = t.handle offset 0
  ) p on true left join lateral (
    select id, line_type, is_up from lines l
    where l.account_id = t.account_id and l.phone_number = t.phone_number and l.released_at is null limit 1
  ) l on true
  order by t.ord`,
);

function selectPhonesAndLines(queries: WriterQuery[]): Promise<PhoneAndLine[]> {
  return sql.run(SIMULATOR_WRITERS, {
    accountIds: queries.map(({ accountId }) => accountId),
    handles: queries.map(({ handle }) => handle),
    phoneNumbers: queries.map(({ phoneNumber }) => phoneNumber),
  });
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
  if (chat === null) return `group-${newId(ctx.now.getTime(), accountId, "group", participantsKey(members))}`;
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
