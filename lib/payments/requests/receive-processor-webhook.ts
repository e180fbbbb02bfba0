import "server-only";
import type { ProcessorEvent } from "@/lib/adapters/processors/processor";
import { processorOf } from "@/lib/adapters/processors/registry";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import { followMerchant } from "@/lib/payments/processors/follow-merchant";
import { recordVendorEvent } from "@/lib/payments/processors/record-vendor-event";
import { type PaymentRequestRow, REQUEST_COLUMNS } from "@/lib/payments/requests/payment-request";
import { followReversals } from "@/lib/payments/requests/settle/follow-reversals";
import { recordPayerFact } from "@/lib/payments/requests/settle/record-payment-fact";
import { refreshRequest } from "@/lib/payments/requests/settle/settle-request";
import { sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/**
 * Checks the name before the body is read. Errors: route_unknown when this instance accepts no webhooks from the
 * processor.
 */
export function requireProcessorWebhooks(name: string): void {
  const { receive, missingForWebhooks } = processorOf(name);
  const missing = missingForWebhooks?.() ?? null;
  if (receive === undefined) fail("route_unknown", `${name} does not send webhooks`);
  if (missing !== null) fail("route_unknown", `${name} is not configured on this instance: set ${missing}`);
}

/**
 * Processes a signed webhook from a processor, each event once. The status is read from the processor instead of the
 * webhook, so an outdated or forged event changes nothing. Errors: access_denied for an invalid signature. Any other
 * error makes the processor resend the webhook.
 */
export async function receiveProcessorWebhook(name: string, headers: Headers, text: string): Promise<void> {
  const { receive } = processorOf(name);
  if (receive === undefined) return fail("route_unknown", `${name} does not send webhooks`);
  const { eventId, notice } = await receive(headers, text).catch((error: unknown) => {
    if (error instanceof SignatureRefused) return fail("access_denied", "the signature is invalid");
    throw error;
  });
  if (await isKnown(name, eventId)) return;

  const row = notice === null ? null : await follow(name, notice);

  await transaction(async (tx) => {
    const isFirst = await recordVendorEvent(tx, name, eventId);
    if (!isFirst || row === null || notice?.about !== "order" || notice.fact === undefined) return;
    await recordPayerFact(tx, row, notice.fact);
  });
}

const KNOWN_PROCESSOR_EVENT = statement(
  "known-processor-event",
  "select 1 from processor_events where processor = :processor and event_id = :eventId",
);

async function isKnown(name: string, eventId: string): Promise<boolean> {
  const [known] = await sql.run(KNOWN_PROCESSOR_EVENT, { processor: name, eventId });
  return known !== undefined;
}

/** Updates the subject of a webhook event. Returns the event's request, if there is one. */
async function follow(name: string, notice: ProcessorEvent): Promise<PaymentRequestRow | null> {
  if (notice.about === "merchant") {
    await followMerchant(name, notice.merchantId);
    return null;
  }
  if (notice.about === "reversal") {
    const reversed = await findRequest(name, notice.merchantId, [
      "payment_intent_id",
      notice.paymentIntentId,
    ]);
    if (reversed !== null) await followReversals(reversed);
    return null;
  }
  const { paymentIntentId, subscriptionId } = notice.refs;
  const row = await findRequest(
    name,
    notice.merchantId,
    paymentIntentId === null ? ["subscription_id", subscriptionId] : ["payment_intent_id", paymentIntentId],
  );
  if (row === null) return null;
  return notice.fact === undefined ? refreshRequest(row) : row;
}

type Reference = readonly [column: "payment_intent_id" | "subscription_id", id: string | null];

function findSql(column: Reference[0]): string {
  return `select ${REQUEST_COLUMNS} from payment_requests r
  where r.processor = :processor and r.merchant_id = :merchantId and r.${column} = :id limit 1`;
}

const FIND_REQUEST = {
  payment_intent_id: statement("payment-request-by-payment-intent", findSql("payment_intent_id")),
  subscription_id: statement("payment-request-by-subscription", findSql("subscription_id")),
} as const;

async function findRequest(
  processor: string,
  merchantId: string,
  [column, id]: Reference,
): Promise<PaymentRequestRow | null> {
  const [row] = await sql.run(FIND_REQUEST[column], { processor, merchantId, id });
  return row ?? null;
}
