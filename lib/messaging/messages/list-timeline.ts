import "server-only";
import { z } from "zod";
import { ListMessages, listMessages } from "@/lib/messaging/messages/list-messages";
import { TimelineMessage, toTimeline } from "@/lib/messaging/messages/timeline-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const ListTimeline = contract({
  ...ListMessages,
  summary: "List the messages of a chat for its timeline",
  returns: z.object({ messages: z.array(TimelineMessage), next_cursor: z.string().nullable() }),
});

/** As `listMessages`, with trace ids and failure details. Errors: chat_not_found, access_denied. */
export async function listTimeline(
  ctx: Context,
  { params, query }: Pick<Input<typeof ListTimeline>, "params" | "query">,
) {
  const { messages, next_cursor } = await listMessages(ctx, { params, query, body: undefined });
  return { messages: await toTimeline(ctx, messages), next_cursor };
}
