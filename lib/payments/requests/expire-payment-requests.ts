import "server-only";
import { type PaymentRequestRow, REQUEST_COLUMNS } from "@/lib/payments/requests/payment-request";
import { endRequest, refreshRequest } from "@/lib/payments/requests/settle/settle-request";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { mapLimited } from "@/lib/platform/tasks/map-limited";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const AT_A_TIME = 50;
const IN_PARALLEL = 4;
const RETRY_MS = 60_000;
const EVENTS_KEPT_MS = 30 * 86_400_000;

const DELETE_OLD_PROCESSOR_EVENTS = plannedStatement(
  "delete-old-processor-events",
  "delete from processor_events where received_at < :receivedAt",
);

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
  await sql.run(DELETE_OLD_PROCESSOR_EVENTS, { receivedAt: new Date(now().getTime() - EVENTS_KEPT_MS) });
  return count;
}

const SCHEDULE_PAYMENT_CHECK = plannedStatement(
  "schedule-payment-check",
  "update payment_requests set check_at = :checkAt where account_id = :accountId and id = :id and check_at is not null",
);

/** Updates one request: expires it when due, and applies the processor's status. */
export async function checkRequest(row: PaymentRequestRow): Promise<PaymentRequestRow> {
  try {
    return row.expiresAt <= now() ? await endRequest(row, "expired") : await refreshRequest(row);
  } catch (error) {
    log.warn({ err: error, paymentRequestId: row.id }, "a payment request could not be checked");
    await sql.run(SCHEDULE_PAYMENT_CHECK, {
      accountId: row.accountId,
      id: row.id,
      checkAt: new Date(now().getTime() + RETRY_MS),
    });
    return row;
  }
}

const DUE_PAYMENT_REQUESTS = statement(
  "due-payment-requests",
  `select ${REQUEST_COLUMNS} from payment_requests r where r.check_at <= :now order by r.check_at limit :atatime`,
);

function findDue(): Promise<PaymentRequestRow[]> {
  return sql.run(DUE_PAYMENT_REQUESTS, { now: now(), atatime: AT_A_TIME });
}
