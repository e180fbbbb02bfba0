import "server-only";
import { findMessage } from "@/lib/messaging/messages/find-message";
import { Message, MessageParams } from "@/lib/messaging/messages/message";
import { findScheduledAsMessage } from "@/lib/messaging/scheduled/schedule-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const GetMessage = contract({
  summary: "Get a message",
  description:
    "Returns a message with its delivery status and its reactions. A message that was scheduled with `send_at` is `pending` until then. A deleted or expired message fails with 2002.",
  tag: "Messages",
  right: "view_chats",
  params: MessageParams,
  returns: Message,
  status: 200,
  errors: ["message_not_found", "access_denied"],
});

/** One message of the account, sent, received or scheduled. Errors: message_not_found, access_denied. */
export async function getMessage(ctx: Context, { params }: Input<typeof GetMessage>): Promise<Message> {
  const { messageId } = params;
  return findMessage(ctx, messageId).catch(async (error: unknown) => {
    const scheduled = await findScheduledAsMessage(ctx, messageId);
    if (scheduled === null) throw error;
    return scheduled;
  });
}
