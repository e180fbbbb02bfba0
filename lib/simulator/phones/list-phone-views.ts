import "server-only";
import { z } from "zod";
import { mediaUrlOrNull } from "@/lib/events/catalog/event-media";
import { StoredImage } from "@/lib/messaging/chats/stored-image";
import type { MessageView } from "@/lib/messaging/messages/message-view";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import { commaList } from "@/lib/platform/text/comma-list";
import { Handle } from "@/lib/platform/text/phone-handle";
import { toPhone } from "@/lib/simulator/phone";
import { unsendBlocker } from "@/lib/simulator/phone-actions/unsend-on-phone";
import {
  type PhoneChat,
  type PhoneMessage,
  type PhoneScreen,
  PhoneViews,
} from "@/lib/simulator/phones/phone-views";
import {
  findLatestPhones,
  findScreenActions,
  findScreenChats,
  findScreenLines,
  findScreenLocations,
  findScreenRows,
  type ScreenAction,
  type ScreenChat,
  type ScreenLine,
  type ScreenLocation,
  type ScreenRow,
} from "@/lib/simulator/phones/screen/find-screen-rows";
import { findStoredMessages } from "@/lib/simulator/phones/screen/find-stored-messages";
import { maySeeSecrets } from "@/lib/simulator/phones/screen/hide-secrets";
import { readSentParts } from "@/lib/simulator/phones/screen/read-sent-parts";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const MAX_PHONES = 200;
const MAX_OPEN = 12;
/** The phones on the wall before the user chooses any. */
const FIRST_OPEN = 3;
/** A line that typed longer ago than this has gone away without telling. */
const TYPING_MS = 60_000;

export const ListPhoneViews = contract({
  summary: "Show simulated phones and the screens of the open ones",
  tag: "Simulator",
  right: "view_chats",
  sandboxOnly: true,
  query: z.object({ open: commaList(Handle).pipe(z.array(z.string()).max(MAX_OPEN)) }),
  returns: PhoneViews,
  status: 200,
  errors: ["parameter_invalid", "feature_not_available"],
});

/**
 * Returns the account's phones, oldest first, its lines, and the screens of the open phones with their latest messages.
 * Without `open`, the phones that were used last are open.
 * Errors: as `ListPhoneViews`.
 */
export async function listPhoneViews(
  ctx: Context,
  { query }: Pick<Input<typeof ListPhoneViews>, "query">,
): Promise<PhoneViews> {
  requireSandbox(ctx);
  const accountId = ctx.account.id;
  const handles = query.open.length > 0 ? query.open : await findLatestPhones(accountId, FIRST_OPEN);
  const [phones, lines, rows, actions, locations] = await Promise.all([
    prisma().simulatorPhone.findMany({
      where: { accountId },
      orderBy: [{ createdAt: "asc" }, { handle: "asc" }],
      take: MAX_PHONES,
    }),
    findScreenLines(accountId),
    findScreenRows(accountId, handles),
    findScreenActions(accountId),
    findScreenLocations(accountId, handles),
  ]);
  const [stored, chats] = await Promise.all([
    findStoredMessages(ctx, ids(rows.map(({ message_id }) => message_id))),
    findScreenChats(accountId, ids(rows.map(({ chat_id }) => chat_id))),
  ]);
  const network = {
    lines,
    chats: new Map(chats.map((chat) => [chat.id, chat])),
    stored,
    actions,
    locations,
    now: ctx.now,
    showSecrets: maySeeSecrets(ctx),
  };
  const open = handles.flatMap((handle) => phones.find((phone) => phone.handle === handle) ?? []);
  return {
    phones: phones.map(toPhone),
    lines,
    screens: open.map(({ handle }) => toScreen(handle, rows, network)),
  };
}

function ids(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}

interface Network {
  lines: readonly ScreenLine[];
  chats: ReadonlyMap<string, ScreenChat>;
  stored: ReadonlyMap<string, MessageView>;
  actions: readonly ScreenAction[];
  locations: readonly ScreenLocation[];
  now: Date;
  /** Whether one-time codes and links to a wallet are shown. */
  showSecrets: boolean;
}

function toScreen(handle: string, rows: readonly ScreenRow[], network: Network): PhoneScreen {
  const mine = rows.filter(({ phone }) => phone === handle);
  const conversations = Map.groupBy(mine, ({ line, group_ref }) => `${line} ${group_ref ?? ""}`);
  return {
    handle,
    chats: [...conversations].map(([key, messages]) => toChat(key, messages, network)),
  };
}

/** `rows` = the messages of one conversation on one phone, newest first; at least one. */
function toChat(key: string, rows: readonly ScreenRow[], network: Network): PhoneChat {
  const [latest] = rows;
  if (latest === undefined) throw new Error("a conversation has at least one message");
  const { phone, line, line_id, group_ref } = latest;
  const chatId = rows.find(({ chat_id }) => chat_id !== null)?.chat_id ?? null;
  const chat = chatId === null ? undefined : network.chats.get(chatId);
  const members = (chat?.members ?? []).filter(({ status }) => status === "active");
  const actions = network.actions.filter(
    (action) =>
      action.line_id === line_id && action.group_ref === group_ref && action.handles.includes(phone),
  );
  const lastOfLine = rows.find(({ sender }) => sender === line)?.created_at ?? null;
  return {
    key,
    chat_id: chatId,
    line,
    line_name: network.lines.find(({ phone_number }) => phone_number === line)?.name ?? null,
    is_group: group_ref !== null,
    name: chat?.display_name ?? null,
    icon_url: mediaUrlOrNull(StoredImage.nullable().parse(chat?.group_icon ?? null)),
    members: members.map(({ handle, name, is_me }) => ({ handle, name, is_line: is_me })),
    is_open: chat === undefined || (!chat.line_left && members.some(({ handle }) => handle === phone)),
    unread: rows.filter(({ sender, read_at }) => sender !== phone && read_at === null).length,
    is_typing: isTyping(actions, lastOfLine, network.now),
    line_read_at: actions.find(({ type }) => type === "read")?.created_at.toISOString() ?? null,
    location: toLocation(
      network.locations.find(({ handle, line_id: to }) => handle === phone && to === line_id),
      network.now,
    ),
    messages: rows.map((row) => toMessage(row, network)).reverse(),
  };
}

// A share ends on time, and its row a moment later.
function toLocation(share: ScreenLocation | undefined, now: Date): PhoneChat["location"] {
  if (share === undefined || (share.ends_at !== null && share.ends_at <= now)) return null;
  const { latitude, longitude, address, locality, ends_at } = share;
  return { latitude, longitude, address, locality, ends_at: ends_at?.toISOString() ?? null };
}

// A message ends the typing before it, as on a real phone.
function isTyping(actions: readonly ScreenAction[], lastMessageAt: Date | null, now: Date): boolean {
  const last = actions.find(({ type }) => type === "typing");
  if (last?.is_on !== true || now.getTime() - last.created_at.getTime() > TYPING_MS) return false;
  return lastMessageAt === null || lastMessageAt <= last.created_at;
}

function toMessage(row: ScreenRow, { stored: all, showSecrets, now }: Network): PhoneMessage {
  const isUnsent = row.unsent_at !== null;
  const stored = row.message_id === null ? undefined : all.get(row.message_id);
  const isMine = row.sender === row.phone;
  // A line's message that was deleted may have contained a code.
  const isShown = stored !== undefined || showSecrets || row.sender !== row.line;
  return {
    id: row.ref,
    message_id: stored?.id ?? null,
    from: row.sender,
    is_mine: isMine,
    service: row.service,
    parts: isShown && !isUnsent ? readSentParts(row.parts, stored ?? null, showSecrets) : [],
    effect: isUnsent ? null : (stored?.effect ?? row.effect),
    reply_to: isUnsent ? null : (stored?.reply_to ?? null),
    kind: stored?.kind ?? "content",
    poll: isUnsent ? null : (stored?.poll ?? null),
    duration_ms: stored?.duration_ms ?? null,
    sticker_parts: stored?.sticker_parts ?? [],
    experience: stored?.experience ?? null,
    is_edited: !isUnsent && (stored?.edits.length ?? 0) > 0,
    is_unsent: isUnsent,
    may_unsend: isMine && stored !== undefined && unsendBlocker(row, now) === null,
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
  };
}
