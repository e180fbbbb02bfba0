import { CircleAlert, CircleCheck, CircleX, Undo2 } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import type { PaymentRequestView } from "@/lib/payments/requests/payment-request-view";

type Reversed = Pick<PaymentRequestView, "refunded" | "reversals">;

const OPEN = { label: "Disputed", variant: "destructive", icon: CircleAlert } as const;
const DISPUTES = {
  needs_response: OPEN,
  under_review: OPEN,
  won: { label: "Dispute won", variant: "success", icon: CircleCheck },
  lost: { label: "Dispute lost", variant: "destructive", icon: CircleX },
} as const;

/** The refunded amount and the newest dispute of a payment. Renders nothing without them. */
export function ReversalBadges({ request: { refunded, reversals } }: { request: Reversed }) {
  const dispute = reversals.find(({ type }) => type === "dispute");
  const look = Object.entries(DISPUTES).find(([status]) => status === dispute?.status)?.[1];
  return (
    <>
      {refunded && (
        <Badge variant="neutral" className="tabular-nums">
          <Undo2 aria-hidden="true" className="size-3" />
          {refunded.is_full ? "Refunded" : "Partly refunded"} {refunded.amount_text}
        </Badge>
      )}
      {dispute && look && (
        <Badge variant={look.variant} className="tabular-nums">
          <look.icon aria-hidden="true" className="size-3" />
          {look.label} {dispute.amount_text}
        </Badge>
      )}
    </>
  );
}
