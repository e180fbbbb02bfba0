import "server-only";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";

/** The creator and the canceler of a request: a person's name, "API", or null when none is recorded. */
export interface ActorRow {
  created: string | null;
  canceled: string | null;
}

// The audit entry is up to this much older than the end of the request, because the processor is called in between.
const CANCEL_TAKES_MS = 120_000;

const PAYMENT_REQUEST_ACTORS = statement(
  "payment-request-actors",
  `select e.action, case e.actor_type when 'api' then 'API' else coalesce(u.name, u.email) end as actor
  from audit_entries e left join users u on u.id = e.actor_id and e.actor_type = 'user'
  where e.account_id = :accountId and e.object_id = :id and (
    (e.id between :createdFrom::uuid and :createdTo::uuid and e.action = 'payment_request.created')
    or (e.id between :endedFrom::uuid and :endedTo::uuid and e.action = 'payment_request.canceled'))`,
);

/**
 * Returns the actors of a request from the audit trail. Reads only the entries around the creation and the end, by the
 * time in their ids.
 */
export async function actorsOf(row: PaymentRequestRow): Promise<ActorRow> {
  const created = row.createdAt.getTime();
  const ended = row.updatedAt.getTime();
  const entries = await sql.run(PAYMENT_REQUEST_ACTORS, {
    accountId: row.accountId,
    id: row.id,
    createdFrom: firstIdAt(created),
    createdTo: firstIdAt(created + 1),
    endedFrom: firstIdAt(ended - CANCEL_TAKES_MS),
    endedTo: firstIdAt(ended + 1),
  });
  const actorOf = (action: string) => entries.find((entry) => entry.action === action)?.actor ?? null;
  return { created: actorOf("payment_request.created"), canceled: actorOf("payment_request.canceled") };
}
