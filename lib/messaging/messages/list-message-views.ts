import "server-only";
import { z } from "zod";
import {
  findCursorsAround,
  ListMessages,
  listMessages,
  listNewerMessages,
} from "@/lib/messaging/messages/list-messages";
import { MessageView, toMessageViews } from "@/lib/messaging/messages/message-view";
import { ChatTurn, findTurnsOfMessages } from "@/lib/messaging/turns/list-chat-turns";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { cursorParameter } from "@/lib/platform/lists/page";

/** Messages above a message that a timeline opens at, apart from those below it. */
const NEWER_AROUND = 20;

export const ListMessageViews = contract({
  ...ListMessages,
  summary: "List the messages of a chat for its timeline",
  query: ListMessages.query.extend({
    /** The page around this message. The newest page when the chat does not have it. */
    around: z.uuid().optional(),
    /** The `newer_cursor` of another page: the page of the messages that follow it. */
    newer: cursorParameter,
  }),
  returns: z.object({
    messages: z.array(MessageView),
    next_cursor: z.string().nullable(),
    /** Where newer messages follow; null when the page begins with the newest one. */
    newer_cursor: z.string().nullable(),
    /** The closed turns of these messages, oldest first, in the dashboard; absent without any. */
    turns: z.array(ChatTurn).optional(),
  }),
});

type Wanted = Pick<Input<typeof ListMessageViews>, "params" | "query">;

/** As `listMessages`, with trace ids and failure details. Errors: chat_not_found, access_denied, parameter_invalid. */
export async function listMessageViews(ctx: Context, wanted: Wanted) {
  const { messages, next_cursor, newer_cursor } = await listPage(ctx, wanted);
  return { messages: await toMessageViews(ctx, messages), next_cursor, newer_cursor };
}

/** As `listMessageViews`, with the turns of the messages, for the dashboard. */
export async function listTimeline(ctx: Context, wanted: Wanted) {
  const { messages, next_cursor, newer_cursor } = await listPage(ctx, wanted);
  const { chatId } = wanted.params;
  const [views, turns] = await Promise.all([
    toMessageViews(ctx, messages),
    findTurnsOfMessages(ctx, { chatId, messageIds: messages.map(({ id }) => id) }),
  ]);
  return { messages: views, next_cursor, newer_cursor, ...(turns.length > 0 && { turns }) };
}

async function listPage(ctx: Context, { params, query }: Wanted) {
  const { chatId } = params;
  if (query.newer !== undefined) {
    const newer = await listNewerMessages(ctx, { chatId, after: query.newer, limit: query.limit });
    return { messages: newer.messages, next_cursor: newer.olderCursor, newer_cursor: newer.newerCursor };
  }
  const older = (cursor: string | undefined) =>
    listMessages(ctx, { params, query: { limit: query.limit, cursor }, body: undefined });
  const around =
    query.around === undefined ? null : await findCursorsAround(ctx, { chatId, messageId: query.around });
  if (around === null) return { ...(await older(query.cursor)), newer_cursor: null };

  const [before, after] = await Promise.all([
    older(around.older),
    listNewerMessages(ctx, { chatId, after: around.newer, limit: NEWER_AROUND }),
  ]);
  return {
    messages: [...after.messages, ...before.messages],
    next_cursor: before.next_cursor,
    newer_cursor: after.newerCursor,
  };
}
