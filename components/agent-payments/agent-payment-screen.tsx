"use client";

import { AgentPaymentDetails } from "@/components/agent-payments/agent-payment-details";
import { AGENT_PAYMENT_TYPES } from "@/components/agent-payments/agent-payment-types";
import { SpendMeter, type Sum } from "@/components/agent-payments/spend-meter";
import { StatePath } from "@/components/agent-payments/state-path";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { RecordBadge } from "@/components/data/record-badge";
import { useLiveItem } from "@/components/data/use-live-item";
import { DetailsPage } from "@/components/details/details-page";
import { PaymentLink } from "@/components/payments/payment-link";
import { apiFetch } from "@/lib/client/api-fetch";
import type { PaymentView } from "@/lib/payments/agent-payments/list-payment-views";

type Shown = { payment: PaymentView; spent_today: Sum; per_payment: Sum | null; per_day: Sum | null };

/** One agent payment: its status, the customer's approval link, its details and the spending limits. */
export function AgentPaymentScreen({ initial, mayManage }: { initial: Shown; mayManage: boolean }) {
  const { internal_id: id } = initial.payment;
  const { data, error, refetch } = useLiveItem<Shown>({
    initial,
    path: `/api/agent-payments/${id}`,
    types: AGENT_PAYMENT_TYPES,
  });
  const { payment } = data;
  const link = payment.approval_url ?? payment.attach_url;

  return (
    <DetailsPage
      title={`${payment.amount_text} ${payment.currency?.toUpperCase() ?? ""}`}
      breadcrumbs={[{ label: "Agent payments", href: "/agent-payments" }]}
      status={<RecordBadge kind="agentPayment" value={payment.status ?? "needs_connection"} />}
      description={<span dir="auto">{payment.description ?? payment.merchant.name ?? "No description"}</span>}
      actions={
        mayManage &&
        payment.ended_at === null && (
          <ConfirmAction
            label="Cancel payment"
            title="Cancel this payment?"
            description="The card provider closes the card. Amounts the merchant has already charged are not refunded."
            confirm="Cancel payment"
            keep="Keep payment"
            done="Payment canceled"
            failed="The payment was not canceled"
            action={() => apiFetch(`/api/agent-payments/${id}/cancel`, { method: "POST" })}
            onDone={() => void refetch()}
          />
        )
      }
      failure={error}
      onRetry={() => void refetch()}
    >
      <StatePath payment={payment} />
      {link && (
        <PaymentLink
          url={link}
          note={
            payment.approval_url
              ? "Link for the customer to approve the payment"
              : "Link for the customer to add a card"
          }
        />
      )}
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <AgentPaymentDetails payment={payment} />
        <SpendMeter spent={data.spent_today} perDay={data.per_day} perPayment={data.per_payment} />
      </div>
    </DetailsPage>
  );
}
