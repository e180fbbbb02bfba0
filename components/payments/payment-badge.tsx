import { StatusBadge } from "@/components/data/status-badge";
import type { ShownPaymentRequest } from "@/lib/payments/requests/shown-payment-request";

/** Where a request stands; one that is being paid says so. */
export function PaymentBadge({ request }: { request: ShownPaymentRequest }) {
  const isUnderWay = request.status === "requested" && request.is_processing;
  return <StatusBadge kind="payment" value={isUnderWay ? "processing" : request.status} />;
}
