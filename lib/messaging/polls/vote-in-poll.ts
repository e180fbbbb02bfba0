import "server-only";
import { z } from "zod";
import { recordUserChange } from "@/lib/identity/audit/record-audit";
import { queueAction } from "@/lib/messaging/actions/queue-action";
import { eventIds } from "@/lib/messaging/edits/edit-text";
import { withMessage } from "@/lib/messaging/messages/locked-message";
import { MessageParams } from "@/lib/messaging/messages/message";
import { changeVote } from "@/lib/messaging/polls/change-vote";
import { checkPoll } from "@/lib/messaging/polls/check-poll";
import { findPoll } from "@/lib/messaging/polls/find-poll";
import { PollEnvelope } from "@/lib/messaging/polls/poll";
import { findOptions } from "@/lib/messaging/polls/poll-event";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";

export const VoteInPoll = contract({
  summary: "Vote in a poll",
  description:
    "Adds or removes your line's vote for one option. A `poll.vote.added` or `poll.vote.removed` event follows.",
  tag: "Polls",
  right: "send_messages",
  params: MessageParams,
  body: z
    .object({
      operation: z.enum(["add", "remove"]).describe("`add` or `remove`."),
      option_id: z.uuid().describe("ID of the option."),
    })
    .meta({ examples: [{ operation: "add", option_id: "019ca9c2-4c05-7f86-9e55-81c2d3e4f506" }] }),
  returns: PollEnvelope,
  status: 200,
  errors: [
    "field_missing",
    "parameter_invalid",
    "message_not_found",
    "access_denied",
    "chat_unavailable",
    "phone_not_e164",
    "line_restricted",
    "state_conflict",
  ],
});

/**
 * Adds or removes the line's vote for one option of a poll. Repeating the current state changes nothing
 * (docs/contract.md, section 8.3). Errors: as `VoteInPoll`.
 */
export async function voteInPoll(ctx: Context, { params, body }: Input<typeof VoteInPoll>) {
  const isRemoved = body.operation === "remove";
  await withMessage(ctx, params.messageId, async (tx, message) => {
    checkPoll(message);
    const option = (await findOptions(tx, message)).find(({ id }) => id === body.option_id.toLowerCase());
    if (option === undefined) fail("parameter_invalid", "option_id is not an option of this poll");

    const change = { who: message.me, traceId: ctx.traceId, at: ctx.now };
    if (!(await changeVote(tx, message, { change, optionId: option.id, isRemoved }))) return;
    await queueAction(tx, {
      ...eventIds(message),
      kind: "vote",
      payload: { option: option.ref, is_removed: isRemoved },
      traceId: ctx.traceId,
      at: ctx.now,
    });
    await recordUserChange(tx, ctx, isRemoved ? "poll.vote_removed" : "poll.voted", message.id, {
      option_id: option.id,
    });
  });
  return findPoll(ctx, params.messageId);
}
