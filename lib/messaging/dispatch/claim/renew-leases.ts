import "server-only";
import { type ClaimedMessage, LEASE_SECONDS } from "@/lib/messaging/dispatch/claim/claim-statement";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const RENEW_MESSAGE_LEASES = statement(
  "renew-message-leases",
  `update messages m set dispatch_lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
  from unnest(:accountIds::uuid[], :heldIds::uuid[], :attempts::int[]) as held(account_id, id, attempt)
  where m.account_id = held.account_id and m.id = held.id and m.dispatch_attempts = held.attempt
    and m.dispatch_lease_until is not null`,
);

/** Renews the leases of messages in progress. A message whose attempt has ended or been superseded keeps its state. */
export async function renewLeases(held: ClaimedMessage[]): Promise<void> {
  if (held.length === 0) return;
  await sql.run(RENEW_MESSAGE_LEASES, {
    accountIds: held.map(({ account_id }) => account_id),
    heldIds: held.map(({ id }) => id),
    attempts: held.map(({ attempt }) => attempt),
  });
}
