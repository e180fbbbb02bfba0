import "server-only";
import { z } from "zod";
import { recordUserChange } from "@/lib/identity/audit/record-audit";
import { queueAction } from "@/lib/messaging/actions/queue-action";
import { eventIds } from "@/lib/messaging/edits/edit-text";
import { withMessage } from "@/lib/messaging/messages/locked-message";
import { MessageParams } from "@/lib/messaging/messages/message";
import { addOptions } from "@/lib/messaging/polls/add-options";
import { checkPoll } from "@/lib/messaging/polls/check-poll";
import { findPoll } from "@/lib/messaging/polls/find-poll";
import { NewOption, PollEnvelope } from "@/lib/messaging/polls/poll";
import { findOptions } from "@/lib/messaging/polls/poll-event";
import { MAX_OPTIONS } from "@/lib/messaging/polls/poll-limits";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";

export const AddPollOptions = contract({
  summary: "Add options to a poll",
  description:
    "Adds options to a poll. Options cannot be changed or removed. A poll has at most 12 options. A `poll.updated` event follows.",
  tag: "Polls",
  right: "send_messages",
  params: MessageParams,
  body: z
    .object({ options: z.array(NewOption).min(1).max(MAX_OPTIONS).describe("The options to add.") })
    .meta({ examples: [{ options: [{ text: "Sunday at noon" }] }] }),
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
 * Appends options to a poll. Options are never changed or removed (docs/contract.md, section 8.3). Errors: as
 * `AddPollOptions`.
 */
export async function addPollOptions(ctx: Context, { params, body }: Input<typeof AddPollOptions>) {
  await withMessage(ctx, params.messageId, async (tx, message) => {
    checkPoll(message);
    const earlier = (await findOptions(tx, message)).map(({ text }) => text);
    const has = earlier.length;
    // A client that stores no content repeats the existing options (docs/contract.md, section 8.3). The dashboard sends
    // only new ones.
    const isRepeated = message.zero_retention && ctx.actor.type !== "user";
    const given = isRepeated ? withoutEarlier(body.options, earlier) : body.options;
    if (has + given.length > MAX_OPTIONS) {
      fail("parameter_invalid", `a poll can have at most ${MAX_OPTIONS} options: this poll has ${has}`);
    }
    const change = { who: message.me, traceId: ctx.traceId, at: ctx.now };
    const options = given.map(({ text }) => ({ ref: null, text }));
    const added = await addOptions(tx, message, { change, options });
    await queueAction(tx, {
      ...eventIds(message),
      kind: "add_poll_options",
      payload: { options: added.map(({ ref, text }) => ({ id: ref, text })) },
      traceId: ctx.traceId,
      at: ctx.now,
    });
    await recordUserChange(tx, ctx, "poll.options_added", message.id, { count: added.length });
  });
  return findPoll(ctx, params.messageId);
}

/** Returns the options after the repeated earlier ones. Errors: parameter_invalid. */
function withoutEarlier<Option extends { text: string }>(
  options: readonly Option[],
  earlier: readonly string[],
): Option[] {
  const repeats = earlier.every((text, index) => options[index]?.text === text);
  if (!repeats || options.length === earlier.length) {
    fail("parameter_invalid", "options: list the existing options in their order before the new ones");
  }
  return options.slice(earlier.length);
}
