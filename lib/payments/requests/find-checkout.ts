import "server-only";
import { sessionHash } from "@/lib/payments/requests/checkout-session";
import { type PaymentRequestRow, REQUEST_COLUMNS } from "@/lib/payments/requests/payment-request";
import { sql } from "@/lib/platform/database/db";

/** Returns the request of a checkout session, or null for an unknown session. */
export async function findCheckout(session: string): Promise<PaymentRequestRow | null> {
  const hash = sessionHash(session);
  if (hash === null) return null;
  const [row] = await sql.query<PaymentRequestRow>({
    name: "find-checkout",
    text: `select ${REQUEST_COLUMNS} from payment_requests r where r.session_hash = $1`,
    values: [hash],
  });
  return row ?? null;
}
