import "server-only";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { waitUntilFound } from "@/lib/simulator/wait-until";

const STORED_WITHIN_MS = 5000;

const IS_NETWORK_REF_PENDING = plannedStatement(
  "is-network-ref-pending",
  `select exists (
  select from messages m join simulator_messages s
    on s.account_id = m.account_id and s.line_id = m.line_id and s.ref = m.id::text
  where m.account_id = :accountId and m.id = :messageId and not exists (
    select from transport_refs r where r.account_id = m.account_id and r.message_id = m.id)) as is_pending`,
);

/**
 * Waits until a message that a phone has is stored with its network ID: a phone has a message a moment before the
 * line's acceptance is stored, and a person may answer in this moment. Waits at most 5 seconds, and not at all for a
 * message that no phone has.
 */
export async function untilOnNetwork(accountId: string, messageId: string): Promise<void> {
  await waitUntilFound("events", AbortSignal.timeout(STORED_WITHIN_MS), async () => {
    const [row] = await sql.run(IS_NETWORK_REF_PENDING, { accountId, messageId });
    return row?.is_pending === true ? [] : ["stored"];
  });
}
