import "server-only";
import { type PaymentRequestRow, REQUEST_COLUMNS } from "@/lib/payments/requests/payment-request";
import { endRequest, refreshRequest } from "@/lib/payments/requests/settle/settle-request";
import { sql } from "@/lib/platform/database/db";
import { mapLimited } from "@/lib/platform/tasks/map-limited";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const AT_A_TIME = 50;
const IN_PARALLEL = 4;
const RETRY_MS = 60_000;
const EVENTS_KEPT_MS = 30 * 86_400_000;

/**
 * Checks the requests that are due: past `expires_at` they expire unless they were paid, and opened ones are checked at
 * the processor in case its webhook was lost. Returns the number of requests checked.
 */
export async function expirePaymentRequests(stop: AbortSignal): Promise<number> {
  let count = 0;
  while (!stop.aborted) {
    const due = await findDue();
    await mapLimited(IN_PARALLEL, due, checkRequest);
    count += due.length;
    if (due.length < AT_A_TIME) break;
  }
  await sql.query({
    text: "delete from processor_events where received_at < $1",
    values: [new Date(now().getTime() - EVENTS_KEPT_MS)],
  });
  return count;
}

/** Updates one request: expires it when due, and applies the processor's status. */
export async function checkRequest(row: PaymentRequestRow): Promise<PaymentRequestRow> {
  try {
    return row.expiresAt <= now() ? await endRequest(row, "expired") : await refreshRequest(row);
  } catch (error) {
    log.warn({ err: error, paymentRequestId: row.id }, "a payment request could not be checked");
    await sql.query({
      text: "update payment_requests set check_at = $3 where account_id = $1 and id = $2 and check_at is not null",
      values: [row.accountId, row.id, new Date(now().getTime() + RETRY_MS)],
    });
    return row;
  }
}

function findDue(): Promise<PaymentRequestRow[]> {
  return sql.query({
    name: "due-payment-requests",
    text: `select ${REQUEST_COLUMNS} from payment_requests r where r.check_at <= $1 order by r.check_at limit $2`,
    values: [now(), AT_A_TIME],
  });
}
