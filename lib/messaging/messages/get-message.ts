import "server-only";
import { findMessage } from "@/lib/messaging/messages/find-message";
import { Message, MessageParams } from "@/lib/messaging/messages/message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const GetMessage = contract({
  summary: "Get a message",
  description:
    "Returns a message with its delivery status and its reactions. A deleted or expired message fails with 2002.",
  tag: "Messages",
  right: "view_chats",
  params: MessageParams,
  returns: Message,
  status: 200,
  errors: ["message_not_found", "access_denied"],
});

/** One message of the account. Errors: message_not_found, access_denied. */
export function getMessage(ctx: Context, { params }: Input<typeof GetMessage>): Promise<Message> {
  return findMessage(ctx, params.messageId);
}
