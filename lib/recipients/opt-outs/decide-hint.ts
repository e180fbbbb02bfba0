import "server-only";
import { z } from "zod";
import { actorId, recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { OptOutDecision } from "@/lib/platform/prisma/enums";
import { endOptOut } from "@/lib/recipients/opt-outs/apply-inbound-opt-out";
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

export const ReopenHint = contract({
  summary: "Undo the review of a message that may be an opt-out",
  tag: "Opt-outs",
  right: "decide_opt_outs",
  params: z.object({ hintId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "name_unknown"],
});

interface DecidedHint {
  handle: string;
  chat_id: string;
  message_id: string;
  decision: OptOutDecision;
}

/**
 * Undoes a decision: the message waits for a decision again, and an opt-out that the decision began ends. An opt-out with
 * other evidence stays. Errors: access_denied; name_unknown when the hint is unknown or not decided.
 */
export async function reopenHint(
  ctx: Context,
  { params }: Pick<Input<typeof ReopenHint>, "params">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const [hint] = await tx.query<DecidedHint>({
      name: "lock-decided-hint",
      text: `select handle, chat_id, message_id, decision::text as decision from opt_out_hints
             where account_id = $1 and id = $2 and decided_at is not null for no key update`,
      values: [ctx.account.id, params.hintId],
    });
    if (hint === undefined) fail("name_unknown", "the message does not exist or was not reviewed");
    if (hint.decision === "opted_out") await endOptOutOf(tx, ctx, hint);
    await tx.query({
      name: "reopen-opt-out-hint",
      text: `update opt_out_hints set decision = null, decided_at = null, decided_type = null, decided_by = null
             where account_id = $1 and id = $2`,
      values: [ctx.account.id, params.hintId],
    });
    const { handle, chat_id: chatId, message_id: messageId, decision } = hint;
    const detail = { handle, chatId, messageId, decision };
    await recordAudit(tx, ctx, "opt_out_hint.reopened", "opt_out_hint", params.hintId, detail);
  });
}

async function endOptOutOf(tx: Sql, ctx: Context, { handle, message_id }: DecidedHint): Promise<void> {
  const [begun] = await tx.query<{ id: string }>({
    name: "find-opt-out-of-hint",
    text: `select id from opt_outs
           where account_id = $1 and handle = $2 and ended_at is null and cause = 'person' and message_id = $3`,
    values: [ctx.account.id, handle, message_id],
  });
  if (begun === undefined) return;
  const moment = { accountId: ctx.account.id, handle, at: ctx.now };
  const by = { cause: "person", type: ctx.actor.type, id: actorId(ctx.actor), messageId: null } as const;
  await endOptOut(tx, moment, by);
}

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
