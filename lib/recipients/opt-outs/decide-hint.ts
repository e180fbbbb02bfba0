import "server-only";
import { z } from "zod";
import { actorId, recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { OptOutDecision } from "@/lib/platform/prisma/enums";
import { optOutManually } from "@/lib/recipients/opt-outs/change-opt-out";

export const DecideHint = contract({
  summary: "Review a message that may be an opt-out",
  tag: "Opt-outs",
  right: "decide_opt_outs",
  params: z.object({ hintId: z.uuid() }),
  body: z.object({ decision: z.enum(OptOutDecision) }),
  status: 204,
  errors: ["access_denied", "name_unknown"],
});

/**
 * Opts the sender of a hint out, or dismisses the hint, and records the decision. Errors: access_denied; name_unknown
 * when the hint is unknown or already decided.
 */
export async function decideHint(
  ctx: Context,
  { params, body }: Pick<Input<typeof DecideHint>, "params" | "body">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const [hint] = await tx.query<{ handle: string; chat_id: string; message_id: string }>({
      name: "decide-opt-out-hint",
      text: `update opt_out_hints set decision = $3::text::opt_out_decision, decided_at = $4, decided_type = $5,
               decided_by = $6
             where account_id = $1 and id = $2 and decided_at is null
             returning handle, chat_id, message_id`,
      values: [ctx.account.id, params.hintId, body.decision, ctx.now, ctx.actor.type, actorId(ctx.actor)],
    });
    if (hint === undefined) fail("name_unknown", "the message does not exist or was already reviewed");
    const about = { handle: hint.handle, chatId: hint.chat_id, messageId: hint.message_id };
    if (body.decision === "opted_out") await optOutManually(tx, ctx, about);
    await recordAudit(tx, ctx, `opt_out_hint.${body.decision}`, "opt_out_hint", params.hintId, about);
  });
}
