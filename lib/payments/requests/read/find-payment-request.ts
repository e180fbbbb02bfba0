import "server-only";
import { type PaymentRequestRow, REQUEST_COLUMNS } from "@/lib/payments/requests/payment-request";
import type { Context } from "@/lib/platform/context";
import { byKey, type Sql, sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

/** Returns a request of the account. Errors: payment_request_not_found, access_denied for another account's. */
export async function findPaymentRequest(ctx: Context, id: string): Promise<PaymentRequestRow> {
  const [row] = await sql.query<PaymentRequestRow>({
    name: "find-payment-request",
    text: `select ${REQUEST_COLUMNS} from payment_requests r where ${byKey("r", { id: "$1::uuid" })}`,
    values: [id],
  });
  if (row === undefined) return fail("payment_request_not_found");
  if (row.accountId !== ctx.account.id) fail("access_denied");
  return row;
}

/** Returns a request by its key, or null when it no longer exists. */
export async function readPaymentRequest(
  on: Sql,
  accountId: string,
  id: string,
): Promise<PaymentRequestRow | null> {
  const [row] = await on.query<PaymentRequestRow>({
    name: "read-payment-request",
    text: `select ${REQUEST_COLUMNS} from payment_requests r where r.account_id = $1 and r.id = $2`,
    values: [accountId, id],
  });
  return row ?? null;
}
