import "server-only";
import { z } from "zod";
import { actorId, recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
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

type DecidedHint = RowOf<"lock-decided-hint">;

const LOCK_DECIDED_HINT = statement(
  "lock-decided-hint",
  `select handle, chat_id, message_id, decision as "decision!" from opt_out_hints
  where account_id = :accountId and id = :hintId and decided_at is not null for no key update`,
);

const REOPEN_OPT_OUT_HINT = statement(
  "reopen-opt-out-hint",
  `update opt_out_hints set decision = null, decided_at = null, decided_type = null, decided_by = null
  where account_id = :accountId and id = :hintId`,
);

/**
 * Undoes a decision: the message waits for a decision again, and an opt-out that the decision began ends. An opt-out with
 * other evidence stays. Errors: access_denied; name_unknown when the hint is unknown or not decided.
 */
export async function reopenHint(
  ctx: Context,
  { params }: Pick<Input<typeof ReopenHint>, "params">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const [hint] = await tx.run(LOCK_DECIDED_HINT, { accountId: ctx.account.id, hintId: params.hintId });
    if (hint === undefined) fail("name_unknown", "the message does not exist or was not reviewed");
    if (hint.decision === "opted_out") await endOptOutOf(tx, ctx, hint);
    await tx.run(REOPEN_OPT_OUT_HINT, { accountId: ctx.account.id, hintId: params.hintId });
    const { handle, chat_id: chatId, message_id: messageId, decision } = hint;
    const detail = { handle, chatId, messageId, decision };
    await recordAudit(tx, ctx, "opt_out_hint.reopened", "opt_out_hint", params.hintId, detail);
  });
}

const FIND_OPT_OUT_OF_HINT = statement(
  "find-opt-out-of-hint",
  `select id from opt_outs
  where account_id = :accountId and handle = :handle and ended_at is null and cause = 'person' and message_id = :messageId`,
);

async function endOptOutOf(tx: Sql, ctx: Context, { handle, message_id }: DecidedHint): Promise<void> {
  const [begun] = await tx.run(FIND_OPT_OUT_OF_HINT, {
    accountId: ctx.account.id,
    handle,
    messageId: message_id,
  });
  if (begun === undefined) return;
  const moment = { accountId: ctx.account.id, handle, at: ctx.now };
  const by = { cause: "person", type: ctx.actor.type, id: actorId(ctx.actor), messageId: null } as const;
  await endOptOut(tx, moment, by);
}

const DECIDE_OPT_OUT_HINT = statement(
  "decide-opt-out-hint",
  `update opt_out_hints set decision = :decision::text::opt_out_decision, decided_at = :now, decided_type = :actorType,
    decided_by = :actorId
  where account_id = :accountId and id = :hintId and decided_at is null
  returning handle, chat_id, message_id`,
);

/**
 * Opts the sender of a hint out, or dismisses the hint, and records the decision. Errors: access_denied; name_unknown
 * when the hint is unknown or already decided.
 */
export async function decideHint(
  ctx: Context,
  { params, body }: Pick<Input<typeof DecideHint>, "params" | "body">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const [hint] = await tx.run(DECIDE_OPT_OUT_HINT, {
      accountId: ctx.account.id,
      hintId: params.hintId,
      decision: body.decision,
      now: ctx.now,
      actorType: ctx.actor.type,
      actorId: actorId(ctx.actor),
    });
    if (hint === undefined) fail("name_unknown", "the message does not exist or was already reviewed");
    const about = { handle: hint.handle, chatId: hint.chat_id, messageId: hint.message_id };
    if (body.decision === "opted_out") await optOutManually(tx, ctx, about);
    await recordAudit(tx, ctx, `opt_out_hint.${body.decision}`, "opt_out_hint", params.hintId, about);
  });
}
