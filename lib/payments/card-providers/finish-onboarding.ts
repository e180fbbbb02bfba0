import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";

interface SessionRow {
  account_id: string;
  provider: string;
  return_url: string;
  account_name: string;
  partner_id: string;
}

const SESSION = `select c.account_id, c.provider, c.return_url, a.name as account_name, a.partner_id
  from card_provider_accounts c join accounts a on a.id = c.account_id
  where c.session_id = $1 and c.status = 'onboarding'`;

/** Finds an onboarding that can still be finished. Returns null for any other id. */
export async function findOnboarding(sessionId: string): Promise<SessionRow | null> {
  const [row] = await sql.query<SessionRow>({ text: SESSION, values: [sessionId] });
  return row ?? null;
}

/**
 * Finishes an onboarding once: `ready` when the admin authorized it, else `disabled`. Returns the admin's next URL with
 * `session_id` and `status` added, or null when there is no onboarding to finish.
 */
export async function finishOnboarding(sessionId: string, isAuthorized: boolean): Promise<string | null> {
  const status = isAuthorized ? "ready" : "disabled";
  const at = now();
  return transaction(async (tx) => {
    const [row] = await tx.query<SessionRow>({ text: `${SESSION} for update of c`, values: [sessionId] });
    if (row === undefined) return null;
    await tx.query({
      text: `update card_provider_accounts
             set status = $3::text::card_provider_status, session_id = null, updated_at = $4
             where account_id = $1 and provider = $2`,
      values: [row.account_id, row.provider, status, at],
    });
    const scope = { partnerId: row.partner_id, accountId: row.account_id, at };
    await recordSystemAudit(tx, scope, `card_provider.${status}`, "card_provider", row.provider);

    const back = new URL(row.return_url);
    back.searchParams.set("session_id", sessionId);
    back.searchParams.set("status", status);
    return back.toString();
  });
}
