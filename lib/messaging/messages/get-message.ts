import "server-only";
import { z } from "zod";
import { findMessage } from "@/lib/messaging/messages/find-message";
import { Message } from "@/lib/messaging/messages/message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const GetMessage = contract({
  summary: "Get a message",
  tag: "Messages",
  right: "view_chats",
  params: z.object({ messageId: z.uuid() }),
  returns: Message,
  status: 200,
  errors: ["message_not_found", "access_denied"],
});

/** One message of the account. Errors: message_not_found, access_denied. */
export function getMessage(ctx: Context, { params }: Input<typeof GetMessage>): Promise<Message> {
  return findMessage(ctx, params.messageId);
}
