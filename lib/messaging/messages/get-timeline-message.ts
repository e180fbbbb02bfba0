import "server-only";
import { z } from "zod";
import { findMessage } from "@/lib/messaging/messages/find-message";
import { TimelineMessage, toTimeline } from "@/lib/messaging/messages/timeline-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";

export const GetTimelineMessage = contract({
  summary: "Get a message for the timeline",
  tag: "Messages",
  right: "view_chats",
  params: z.object({ chatId: z.uuid(), messageId: z.uuid() }),
  returns: TimelineMessage,
  status: 200,
  errors: ["message_not_found", "access_denied"],
});

/**
 * Returns one message of a chat's timeline. The dashboard reads it again when an event reports a change. Errors:
 * message_not_found.
 */
export async function getTimelineMessage(
  ctx: Context,
  { params }: Pick<Input<typeof GetTimelineMessage>, "params">,
) {
  const message = await findMessage(ctx, params.messageId);
  const [shown] = await toTimeline(ctx, [message]);
  return shown ?? fail("message_not_found");
}
