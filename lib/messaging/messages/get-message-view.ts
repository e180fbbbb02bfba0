import "server-only";
import { z } from "zod";
import { findMessage } from "@/lib/messaging/messages/find-message";
import { MessageView, toMessageViews } from "@/lib/messaging/messages/message-view";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";

export const GetMessageView = contract({
  summary: "Get a message for the timeline",
  tag: "Messages",
  right: "view_chats",
  params: z.object({ chatId: z.uuid(), messageId: z.uuid() }),
  returns: MessageView,
  status: 200,
  errors: ["message_not_found", "access_denied"],
});

/**
 * Returns one message of a chat's timeline. The dashboard reads it again when an event reports a change. Errors:
 * message_not_found.
 */
export async function getMessageView(ctx: Context, { params }: Pick<Input<typeof GetMessageView>, "params">) {
  const message = await findMessage(ctx, params.messageId);
  const [shown] = await toMessageViews(ctx, [message]);
  return shown ?? fail("message_not_found");
}
