import "server-only";
import { failActionsOfArchived } from "@/lib/messaging/actions/perform-actions";
import { failUnsentOfArchived } from "@/lib/messaging/dispatch/fail-unsent";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

/**
 * Ends what waits in archived accounts: pending messages and actions fail, then the endpoints are suspended, so that
 * the failures are still delivered and later events are skipped. Returns the number of failed messages and actions.
 */
export async function settleArchivedAccounts(stop: AbortSignal): Promise<number> {
  const messages = await failUnsentOfArchived(now());
  const actions = stop.aborted ? 0 : await failActionsOfArchived();
  if (!stop.aborted) await suspendEndpoints();
  return messages + actions;
}

const SUSPEND_ENDPOINTS = plannedStatement(
  "suspend-endpoints",
  `with archived as (
    select id from accounts where archived_at is not null for share
  )
  update webhook_subscriptions s set is_suspended = true
  from archived a
  where s.account_id = a.id and not s.is_suspended and s.deleted_at is null and not exists (
    select from messages m where m.account_id = a.id and m.dispatch_at is not null)`,
);

// The lock makes the statement read an account anew that is restored meanwhile. A message in progress ends first.
async function suspendEndpoints(): Promise<void> {
  await sql.run(SUSPEND_ENDPOINTS);
}
