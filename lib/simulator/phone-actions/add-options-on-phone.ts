import "server-only";
import { z } from "zod";
import { sink } from "@/lib/adapters/transports/sink";
import { NewOption } from "@/lib/messaging/polls/poll";
import { MAX_OPTIONS } from "@/lib/messaging/polls/poll-limits";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { newId } from "@/lib/platform/ids";
import { PathHandle } from "@/lib/simulator/phone";
import { findPhoneMessage } from "@/lib/simulator/phone-actions/find/find-phone-message";

export const AddOptionsOnPhone = contract({
  summary: "Add options to a poll from a simulated phone",
  description: "Adds options to a poll as the person who holds the phone. Arrives as a `poll.updated` event.",
  tag: "Simulator",
  right: "send_messages",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle }),
  body: z
    .object({
      message_id: z.uuid().describe("ID of the message that contains the poll."),
      options: z.array(NewOption).min(1).max(MAX_OPTIONS).describe("The options to add."),
    })
    .meta({
      examples: [
        { message_id: "019ca9c2-4c03-7d64-bc33-5e9f40718293", options: [{ text: "Sunday at noon" }] },
      ],
    }),
  returns: z.object({ message_id: z.uuid().describe("ID of the message that contains the poll.") }),
  status: 201,
  errors: [
    "field_missing",
    "parameter_invalid",
    "name_unknown",
    "message_not_found",
    "access_denied",
    "state_conflict",
    "feature_not_available",
  ],
  extension: true,
});

/** A phone adds options to a poll. Resolves once they are received. Errors: as `AddOptionsOnPhone`. */
export async function addOptionsOnPhone(ctx: Context, { params, body }: Input<typeof AddOptionsOnPhone>) {
  const { line, ...message } = await findPhoneMessage(ctx, params.handle, body.message_id);
  const options = body.options.map(({ text }) => ({
    ref: newId(ctx.now.getTime(), ctx.account.id, "phone poll option", body.message_id),
    text,
  }));
  await sink().receive(line, [{ type: "poll_options", ...message, options }]);
  return { message_id: body.message_id };
}
