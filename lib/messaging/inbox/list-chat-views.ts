import "server-only";
import { z } from "zod";
import { Chat, chatSelect, toChat } from "@/lib/messaging/chats/chat";
import {
  chatConditionFields,
  findFilteredChats,
  isFiltered,
  selectFilteredChats,
} from "@/lib/messaging/inbox/chat-conditions";
import { chatKey, chatsAfter } from "@/lib/messaging/inbox/chat-cursor";
import { ChatMark, selectChatMarks } from "@/lib/messaging/inbox/chat-marks";
import { LastMessage, selectChatEnds } from "@/lib/messaging/inbox/last-message";
import { searchChats, selectMatchingChats } from "@/lib/messaging/inbox/search-chats";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma, type SqlText } from "@/lib/platform/database/db";
import { exportOf } from "@/lib/platform/lists/export-of";
import { limitParameter, toPage } from "@/lib/platform/lists/page";
import { countText, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import type { Prisma } from "@/lib/platform/prisma/client";
import { ChatInboxState } from "@/lib/platform/prisma/enums";
import { maxUnits } from "@/lib/platform/text/max-units";
import { isReachable } from "@/lib/platform/text/phone-handle";

/** A chat in the dashboard's list. */
export const ChatView = z.object({
  chat: Chat,
  line_id: z.uuid(),
  last_message: LastMessage.nullable(),
  /** Inbound messages since the chat was marked read or the account last wrote. 100 means 100 or more. */
  unread: z.int(),
  assignee: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** The team that looks after the chat, beside the person or without one. */
  team: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Where the chat stands in the inbox; null = the customer has not written yet, and no one looks after it. */
  inbox_state: z.enum(ChatInboxState).nullable(),
  /** When a snoozed chat is open again; null in every other state. */
  snoozed_until: z.iso.datetime().nullable(),
  /** Why the recipient can't or may not want to be messaged. */
  mark: ChatMark.nullable(),
  /** false = the recipient is a short code or a sender's name, and sends to the chat fail. */
  can_reply: z.boolean(),
});

export type ChatView = z.infer<typeof ChatView>;

export const ListChatViews = contract({
  summary: "List chats with their last message",
  tag: "Chats",
  right: "view_chats",
  query: z.object({
    ...chatConditionFields,
    /** Part of a handle or of a group's name. Formatting of phone numbers is ignored. */
    search: z.string().trim().check(maxUnits(100)).optional(),
    cursor: z.string().check(maxUnits(500)).optional(),
    limit: limitParameter(100, 30),
  }),
  returns: z.object({
    conversations: z.array(ChatView),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

/**
 * Returns the account's chats, most recent activity first, optionally filtered by line, service, team or view, or with a
 * handle or name that contains `search`.
 */
export async function listChatViews(ctx: Context, { query }: Pick<Input<typeof ListChatViews>, "query">) {
  const rows = await prisma().chat.findMany({
    where: await conditionOf(ctx, query),
    select: { ...chatSelect, lineId: true, assignedTo: true },
    orderBy: [{ lastActivityAt: "desc" }, { id: "desc" }],
    take: query.limit + 1,
  });

  const page = toPage(rows, query.limit, chatKey);
  const ids = page.items.map((row) => row.id);
  const [ends, team] = await Promise.all([selectChatEnds(ctx, ids), selectChatMarks(ctx, ids)]);
  const conversations = page.items.map((row) => ({
    chat: toChat(row),
    line_id: row.lineId,
    last_message: ends.get(row.id)?.lastMessage ?? null,
    unread: ends.get(row.id)?.unread ?? 0,
    assignee: team.get(row.id)?.assignee ?? null,
    team: team.get(row.id)?.team ?? null,
    inbox_state: team.get(row.id)?.inboxState ?? null,
    snoozed_until: team.get(row.id)?.snoozedUntil?.toISOString() ?? null,
    mark: team.get(row.id)?.mark ?? null,
    can_reply: row.isGroup || row.participants.every(({ isMe, handle }) => isMe || isReachable(handle)),
  }));
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    count: countText(matchingRows(ctx, query)),
  });
  return { conversations, next_cursor: page.nextCursor, total };
}

type Query = Input<typeof ListChatViews>["query"];

async function conditionOf(ctx: Context, query: Query): Promise<Prisma.ChatWhereInput> {
  const { id: accountId } = ctx.account;
  const page = { cursor: query.cursor ?? null, limit: query.limit + 1 };
  if (query.search) {
    return { accountId, id: { in: await searchChats({ ctx, text: query.search, query, ...page }) } };
  }
  if (isFiltered(query)) return { accountId, id: { in: await findFilteredChats(ctx, query, page) } };
  return { accountId, ...(query.cursor && chatsAfter(query.cursor)) };
}

function matchingRows(ctx: Context, query: Query): SqlText {
  if (query.search) return selectMatchingChats({ ctx, text: query.search, query });
  return selectFilteredChats(ctx, query);
}

/** The chats of an account as CSV. */
export const exportChats = exportOf(ListChatViews, listChatViews, {
  summary: "Export chats as CSV",
  filename: "chats.csv",
  pageRows: 500,
  itemsOf: (page) => page.conversations,
  columns: {
    chat_id: ({ chat }) => chat.id,
    display_name: ({ chat }) => chat.display_name,
    handles: ({ chat }) => chat.handles.flatMap(({ handle, is_me }) => (is_me ? [] : [handle])).join(" "),
    is_group: ({ chat }) => String(chat.is_group),
    line_id: ({ line_id }) => line_id,
    service: ({ chat }) => chat.service,
    health: ({ chat }) => chat.health_status.status,
    unread: ({ unread }) => unread,
    assigned_to: ({ assignee }) => assignee?.name,
    inbox_state: ({ inbox_state }) => inbox_state,
    snoozed_until: ({ snoozed_until }) => snoozed_until,
    last_message_at: ({ last_message }) => last_message?.created_at,
    created_at: ({ chat }) => chat.created_at,
    team: ({ team }) => team?.name,
  },
});
