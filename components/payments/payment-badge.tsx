import { StatusBadge } from "@/components/data/status-badge";
import { ReversalBadges } from "@/components/payments/reversal-badges";
import type { ShownPaymentRequest } from "@/lib/payments/requests/shown-payment-request";

/** The status of a payment request, or that a payment is in progress, with its refunds and disputes. */
export function PaymentBadge({ request }: { request: ShownPaymentRequest }) {
  const isUnderWay = request.status === "requested" && request.is_processing;
  return (
    <span className="inline-flex flex-wrap items-center gap-1 max-sm:justify-end">
      <StatusBadge kind="payment" value={isUnderWay ? "processing" : request.status} />
      <ReversalBadges request={request} />
    </span>
  );
}
