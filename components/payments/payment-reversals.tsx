import { RecordBadge, type RecordStatus } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { ProcessorId } from "@/components/payments/processor-id";
import type { PaymentRequestView } from "@/lib/payments/requests/payment-request-view";

type Reversal = PaymentRequestView["reversals"][number];

/** The refunds and disputes of a payment, which are handled at the processor. Renders nothing without them. */
export function PaymentReversals({ request }: { request: PaymentRequestView }) {
  const { reversals, processor } = request;
  if (reversals.length === 0) return null;
  return (
    <section aria-label="Refunds and disputes" className="flex min-w-0 flex-col gap-3">
      <div>
        <h2 className="font-medium text-sm">Refunds and disputes</h2>
        <p className="text-muted-foreground text-sm">
          Reported by the processor. Refund payments and respond to disputes in its dashboard.
        </p>
      </div>
      <ul className="divide-y rounded-xl border bg-card shadow-xs">
        {reversals.map((reversal) => (
          <li key={reversal.id} className="flex flex-col gap-1 p-3.5 text-sm">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-medium tabular-nums">
                {reversal.type === "refund" ? "Refund" : "Dispute"} of {reversal.amount_text}
              </span>
              <ReversalStatus reversal={reversal} />
            </div>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted-foreground text-xs">
              <Timestamp value={reversal.created_at} format="moment" />
              {reversal.reason && <span>{reversal.reason.replaceAll("_", " ")}</span>}
              {reversal.status === "needs_response" && reversal.respond_by && (
                <span>
                  Respond by <Timestamp value={reversal.respond_by} format="moment" />
                </span>
              )}
              <ProcessorId
                processor={processor}
                id={reversal.id}
                label={reversal.type === "refund" ? "Refund" : "Dispute"}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReversalStatus({ reversal: { type, status } }: { reversal: Reversal }) {
  if (type === "refund" && isRefundStatus(status)) return <RecordBadge kind="refund" value={status} />;
  if (type === "dispute" && !isRefundStatus(status)) return <RecordBadge kind="dispute" value={status} />;
  return null;
}

function isRefundStatus(status: Reversal["status"]): status is RecordStatus<"refund"> {
  return status === "pending" || status === "succeeded" || status === "failed";
}
