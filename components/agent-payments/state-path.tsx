import { Check } from "lucide-react";
import { WaitingFor } from "@/components/agent-payments/waiting-for";
import { type RecordStatus, recordStyles } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { cn } from "@/lib/cn";
import type { PaymentView } from "@/lib/payments/agent-payments/list-payment-views";

const WAY: RecordStatus<"agentPayment">[] = [
  "needs_connection",
  "connecting",
  "awaiting_user_action",
  "ready",
  "authorized",
  "succeeded",
];

/** The steps of a payment and its current step. A payment that ended early shows its final status instead. */
export function StatePath({ payment }: { payment: PaymentView }) {
  const { status = "needs_connection" } = payment;
  const at = WAY.indexOf(status);
  return (
    <section aria-label="Status" className="flex flex-col gap-3 rounded-xl border bg-card p-4 shadow-xs">
      {at >= 0 && (
        <ol className="flex flex-wrap gap-x-5 gap-y-2">
          {WAY.map((step, index) => (
            <li
              key={step}
              aria-current={index === at ? "step" : undefined}
              className={cn(
                "flex items-center gap-1.5 text-[0.8125rem] text-muted-foreground",
                index === at && "font-semibold text-foreground",
              )}
            >
              {index < at ? (
                <Check aria-hidden="true" className="size-3.5 text-success" />
              ) : (
                <span className={cn("size-2 rounded-full border", index === at && "bg-brand")} />
              )}
              {recordStyles.agentPayment[step].label}
            </li>
          ))}
        </ol>
      )}
      <p className="text-[0.8125rem]">
        {payment.waits_for === null ? (
          <>
            {recordStyles.agentPayment[status].label} on{" "}
            <Timestamp value={payment.moved_at} format="moment" />
          </>
        ) : (
          <>
            Waiting for: <WaitingFor payment={payment} />
          </>
        )}
      </p>
    </section>
  );
}
