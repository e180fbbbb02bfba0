import "server-only";
import { z } from "zod";
import { actorId, recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";
import { SenderHandle } from "@/lib/platform/text/phone-handle";
import { PEPPER_OF_NEW_CONTACT, restoreErasedHandles } from "@/lib/recipients/erased-handles/erased-handles";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";
import { beginOptOut, endOptOut } from "@/lib/recipients/opt-outs/apply-inbound-opt-out";

const MAX_NOTE = 500;

export const ChangeOptOut = contract({
  summary: "Opt a recipient out or in",
  tag: "Opt-outs",
  right: "decide_opt_outs",
  body: z.object({
    handle: z.string().transform(normalizeHandle).pipe(SenderHandle),
    opted_out: z.boolean(),
    /** The reason, for the audit log. */
    note: z.string().trim().check(maxUnits(MAX_NOTE)).nullish(),
  }),
  status: 204,
  errors: ["access_denied", "phone_not_e164", "state_conflict"],
});

/**
 * Opts a recipient out of all sends of the account manually, or ends an opt-out, and records it in the audit log.
 * Errors: state_conflict when nothing would change.
 */
export async function changeOptOut(
  ctx: Context,
  { body }: Pick<Input<typeof ChangeOptOut>, "body">,
): Promise<undefined> {
  const { handle, opted_out, note = null } = body;

  await transaction(async (tx) => {
    const isOptedOut = await lockOptOut(tx, ctx, handle);
    if (isOptedOut === opted_out) {
      fail("state_conflict", `${handle} is ${isOptedOut ? "already opted out" : "not opted out"}`);
    }
    if (opted_out) await optOutManually(tx, ctx, { handle, chatId: null, messageId: null });
    else await optInManually(tx, ctx, handle);
    const action = opted_out ? "opt_out.set" : "opt_out.ended";
    await recordAudit(tx, ctx, action, "handle", handle, { note });
  });
}

/** Opts a recipient out manually. The caller's transaction records the audit entry. */
export async function optOutManually(
  tx: Sql,
  ctx: Context,
  about: { handle: string; chatId: string | null; messageId: string | null; sourceFile?: string },
): Promise<void> {
  const moment = { accountId: ctx.account.id, handle: about.handle, at: ctx.now };
  const person = { cause: "person", type: ctx.actor.type, id: actorId(ctx.actor) } as const;
  await beginOptOut(tx, moment, { ...person, ...about, keyword: null });
}

async function optInManually(tx: Sql, ctx: Context, handle: string): Promise<void> {
  const moment = { accountId: ctx.account.id, handle, at: ctx.now };
  const person = { cause: "person", type: ctx.actor.type, id: actorId(ctx.actor) } as const;
  await endOptOut(tx, moment, { ...person, messageId: null });
}

const LOCK_OPT_OUT = statement(
  "lock-opt-out",
  `insert into contacts as k (account_id, handle) values (:accountId, :handle)
  on conflict (account_id, handle) do update set handle = excluded.handle
  returning opted_out_at is not null as is_opted_out, ${PEPPER_OF_NEW_CONTACT} as pepper`,
);

/** Locks the contact, and returns whether it is opted out. */
export async function lockOptOut(tx: Sql, ctx: Context, handle: string): Promise<boolean> {
  const [contact] = await tx.run(LOCK_OPT_OUT, { accountId: ctx.account.id, handle });
  const [restored] = await restoreErasedHandles(tx, ctx.account.id, contact?.pepper, [handle]);
  return contact?.is_opted_out === true || restored?.opted_out === true;
}
