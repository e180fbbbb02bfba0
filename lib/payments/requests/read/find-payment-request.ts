import "server-only";
import { type PaymentRequestRow, REQUEST_COLUMNS } from "@/lib/payments/requests/payment-request";
import type { Context } from "@/lib/platform/context";
import { byKey, type Sql, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const FIND_PAYMENT_REQUEST = statement(
  "find-payment-request",
  `select ${REQUEST_COLUMNS} from payment_requests r where ${byKey("r", { id: ":id::uuid" })}`,
);

/** Returns a request of the account. Errors: payment_request_not_found, access_denied for another account's. */
export async function findPaymentRequest(ctx: Context, id: string): Promise<PaymentRequestRow> {
  const [row] = await sql.run(FIND_PAYMENT_REQUEST, { id });
  if (row === undefined) return fail("payment_request_not_found");
  if (row.accountId !== ctx.account.id) fail("access_denied");
  return row;
}

const READ_PAYMENT_REQUEST = statement(
  "read-payment-request",
  `select ${REQUEST_COLUMNS} from payment_requests r where r.account_id = :accountId and r.id = :id`,
);

/** Returns a request by its key, or null when it no longer exists. */
export async function readPaymentRequest(
  on: Sql,
  accountId: string,
  id: string,
): Promise<PaymentRequestRow | null> {
  const [row] = await on.run(READ_PAYMENT_REQUEST, { accountId, id });
  return row ?? null;
}
