import "server-only";
import { sessionHash } from "@/lib/payments/requests/checkout-session";
import { type PaymentRequestRow, REQUEST_COLUMNS } from "@/lib/payments/requests/payment-request";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const FIND_CHECKOUT = statement(
  "find-checkout",
  `select ${REQUEST_COLUMNS} from payment_requests r where r.session_hash = :hash`,
);

/** Returns the request of a checkout session, or null for an unknown session. */
export async function findCheckout(session: string): Promise<PaymentRequestRow | null> {
  const hash = sessionHash(session);
  if (hash === null) return null;
  const [row] = await sql.run(FIND_CHECKOUT, { hash });
  return row ?? null;
}
