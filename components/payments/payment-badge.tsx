import { RecordBadge } from "@/components/data/record-badge";
import { ReversalBadges } from "@/components/payments/reversal-badges";
import type { PaymentRequestView } from "@/lib/payments/requests/payment-request-view";

/** The status of a payment request, or that a payment is in progress, with its refunds and disputes. */
export function PaymentBadge({ request }: { request: PaymentRequestView }) {
  const isUnderWay = request.status === "requested" && request.is_processing;
  return (
    <span className="inline-flex flex-wrap items-center gap-1 max-sm:justify-end">
      <RecordBadge kind="payment" value={isUnderWay ? "processing" : request.status} />
      <ReversalBadges request={request} />
    </span>
  );
}
