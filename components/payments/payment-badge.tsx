import { StatusBadge } from "@/components/data/status-badge";
import type { ShownPaymentRequest } from "@/lib/payments/requests/shown-payment-request";

/** The status of a payment request, or that a payment is in progress. */
export function PaymentBadge({ request }: { request: ShownPaymentRequest }) {
  const isUnderWay = request.status === "requested" && request.is_processing;
  return <StatusBadge kind="payment" value={isUnderWay ? "processing" : request.status} />;
}
