import "server-only";
import { emitAccountEvent, systemChange } from "@/lib/events/emit-account-event";
import { ENVIRONMENT_EVENTS } from "@/lib/identity/accounts/environment-events";
import { findAccountIds } from "@/lib/identity/accounts/find-account-ids";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { now } from "@/lib/platform/clock";
import type { AccountRef } from "@/lib/platform/context";
import { transaction } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";

/**
 * Creates an environment of a partner: sandbox or production (contract.md 0). The name must be unique within the
 * partner. The partner's other environments are notified.
 */
export async function createAccount(
  partnerId: string,
  name: string,
  type: AccountRef["type"],
): Promise<AccountRef> {
  const at = now();
  const id = newId(at.getTime());
  const dailyMessages = type === "sandbox" ? env().SANDBOX_DAILY_MESSAGES : 0;
  const checkoutClip = type === "sandbox" ? "active" : "in_review";
  await transaction(async (tx) => {
    await tx.query({
      text: `insert into accounts (id, partner_id, name, type, daily_messages, pair_messages, checkout_clip,
               created_at)
             values ($1, $2, $3, $4::text::account_type, nullif($5::int, 0), nullif($6::int, 0),
               $7::text::app_clip_state, $8)`,
      values: [id, partnerId, name, type, dailyMessages, env().PAIR_MESSAGES, checkoutClip, at],
    });
    const detail = { name, type };
    await recordSystemAudit(tx, { partnerId, accountId: id, at }, "account.created", "account", id, detail);
    const environment = { name, type: "environment" } as const;
    const change = systemChange(await findAccountIds(tx, partnerId), at);
    await emitAccountEvent(tx, change, ENVIRONMENT_EVENTS["environment.created"], { environment });
  });
  return { id, partnerId, type };
}
