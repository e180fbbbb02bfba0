import "server-only";
import { z } from "zod";
import { sink } from "@/lib/adapters/transports/sink";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { PathHandle } from "@/lib/simulator/phone";
import { findPhoneMessage } from "@/lib/simulator/phone-actions/find/find-phone-message";

export const VoteOnPhone = contract({
  summary: "Vote in a poll from a simulated phone",
  description:
    "Votes in a poll as the person who holds the phone. Arrives as `poll.vote.added` or `poll.vote.removed`.",
  tag: "Simulator",
  right: "send_messages",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle }),
  body: z
    .object({
      message_id: z.uuid().describe("ID of the message that contains the poll."),
      option_id: z.uuid().describe("ID of the option."),
      operation: z.enum(["add", "remove"]).default("add").describe("`add` or `remove`. Defaults to `add`."),
    })
    .meta({
      examples: [
        {
          message_id: "019ca9c2-4c03-7d64-bc33-5e9f40718293",
          option_id: "019ca9c2-4c05-7f86-9e55-81c2d3e4f506",
        },
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

const FIND_OPTION_REF = plannedStatement(
  "find-option-ref",
  "select ref from poll_options where account_id = :accountId and message_id = :messageId and id = :optionId",
);

/** A phone votes for an option or withdraws the vote. Resolves once it is received. Errors: as `VoteOnPhone`. */
export async function voteOnPhone(ctx: Context, { params, body }: Input<typeof VoteOnPhone>) {
  const { line, ...message } = await findPhoneMessage(ctx, params.handle, body.message_id);
  const [option] = await sql.run(FIND_OPTION_REF, {
    accountId: ctx.account.id,
    messageId: body.message_id,
    optionId: body.option_id,
  });
  if (option === undefined) fail("parameter_invalid", "option_id is not an option of this poll");
  const isRemoved = body.operation === "remove";
  await sink().receive(line, [{ type: "vote", ...message, option: option.ref, isRemoved }]);
  return { message_id: body.message_id };
}
