import "server-only";
import { MessageParams } from "@/lib/messaging/messages/message";
import { findPoll } from "@/lib/messaging/polls/find-poll";
import { PollEnvelope } from "@/lib/messaging/polls/poll";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const GetPoll = contract({
  summary: "Get a poll",
  description:
    "Returns a poll with its options and votes. `messageId` is the ID of the message that contains the poll.",
  tag: "Polls",
  right: "view_chats",
  params: MessageParams,
  returns: PollEnvelope,
  status: 200,
  errors: ["message_not_found", "access_denied"],
});

/**
 * Returns a poll with its options and votes, by message id (docs/contract.md, section 8.3). Errors: message_not_found,
 * access_denied.
 */
export function getPoll(ctx: Context, { params }: Input<typeof GetPoll>) {
  return findPoll(ctx, params.messageId);
}
