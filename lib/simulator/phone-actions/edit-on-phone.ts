import "server-only";
import { z } from "zod";
import { sink } from "@/lib/adapters/transports/sink";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { maxUnits } from "@/lib/platform/text/max-units";
import { PathHandle } from "@/lib/simulator/phone";
import { findPhoneMessage } from "@/lib/simulator/phone-actions/find/find-phone-message";

const MAX_TEXT = 10_000;
const MAX_PARTS = 100;

export const EditOnPhone = contract({
  summary: "Edit a message of a simulated phone",
  description: "Edits a message that the phone sent. Arrives as `message.edited`.",
  tag: "Simulator",
  right: "send_messages",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle }),
  body: z
    .object({
      message_id: z.uuid().describe("ID of the message."),
      part_index: z
        .int()
        .min(0)
        .max(MAX_PARTS)
        .default(0)
        .describe("Index of the part to edit, starting at 0. Defaults to 0."),
      text: z.string().min(1).check(maxUnits(MAX_TEXT)).describe("The new text, 1 to 10000 characters."),
    })
    .meta({
      examples: [{ message_id: "019ca9c2-7310-7e75-8b44-6fa051829304", text: "On my way, ten minutes!" }],
    }),
  returns: z.object({ message_id: z.uuid().describe("ID of the message.") }),
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

/** A phone edits a text part that it wrote. Resolves once the edit is received. Errors: as `EditOnPhone`. */
export async function editOnPhone(ctx: Context, { params, body }: Input<typeof EditOnPhone>) {
  const { line, ...message } = await findPhoneMessage(ctx, params.handle, body.message_id);
  await sink().receive(line, [{ type: "edited", ...message, part: body.part_index, text: body.text }]);
  return { message_id: body.message_id };
}
