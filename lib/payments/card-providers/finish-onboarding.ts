import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

type SessionRow = RowOf<"find-onboarding">;

const SESSION = plannedStatement(
  "find-onboarding",
  `select c.account_id, c.provider, c.return_url as "return_url!", a.name as account_name, a.partner_id
  from card_provider_accounts c join accounts a on a.id = c.account_id
  where c.session_id = :sessionId and c.status = 'onboarding'`,
);

/** Finds an onboarding that can still be finished. Returns null for any other id. */
export async function findOnboarding(sessionId: string): Promise<SessionRow | null> {
  const [row] = await sql.run(SESSION, { sessionId });
  return row ?? null;
}

const LOCK_ONBOARDING = plannedStatement("lock-onboarding", `${SESSION.source} for update of c`);

const STORE_ONBOARDING_STATUS = plannedStatement(
  "store-onboarding-status",
  `update card_provider_accounts
  set status = :status::text::card_provider_status, session_id = null, updated_at = :updatedAt
  where account_id = :accountId and provider = :provider`,
);

/**
 * Finishes an onboarding once: `ready` when the admin authorized it, else `disabled`. Returns the admin's next URL with
 * `session_id` and `status` added, or null when there is no onboarding to finish.
 */
export async function finishOnboarding(sessionId: string, isAuthorized: boolean): Promise<string | null> {
  const status = isAuthorized ? "ready" : "disabled";
  const at = now();
  return transaction(async (tx) => {
    const [row] = await tx.run(LOCK_ONBOARDING, { sessionId });
    if (row === undefined) return null;
    await tx.run(STORE_ONBOARDING_STATUS, {
      accountId: row.account_id,
      provider: row.provider,
      status,
      updatedAt: at,
    });
    const scope = { partnerId: row.partner_id, accountId: row.account_id, at };
    await recordSystemAudit(tx, scope, `card_provider.${status}`, "card_provider", row.provider);

    const back = new URL(row.return_url);
    back.searchParams.set("session_id", sessionId);
    back.searchParams.set("status", status);
    return back.toString();
  });
}
