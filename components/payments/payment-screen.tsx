"use client";

import { Printer } from "lucide-react";
import { useLiveItem } from "@/components/data/use-live-item";
import { DetailsPage } from "@/components/details/details-page";
import { CancelPayment } from "@/components/payments/cancel-payment";
import { PaymentBadge } from "@/components/payments/payment-badge";
import { PaymentDetails } from "@/components/payments/payment-details";
import { PaymentLink } from "@/components/payments/payment-link";
import { PaymentReversals } from "@/components/payments/payment-reversals";
import { type PaymentStep, PaymentTimeline } from "@/components/payments/payment-timeline";
import { PAYMENT_TYPES } from "@/components/payments/payment-types";
import { SendIntoChatButton } from "@/components/payments/send-into-chat-button";
import { Button } from "@/components/ui/button";
import type { Chat } from "@/lib/messaging/chats/chat";
import type { PaymentRequestView } from "@/lib/payments/requests/payment-request-view";

/** A payment request with its timeline. */
export type ShownPayment = { payment_request: PaymentRequestView; timeline: PaymentStep[] };

type PaymentScreenProps = { initial: ShownPayment; mayCancel: boolean; maySend: boolean };

/** One payment request: its link, its details and its timeline, updated live. */
export function PaymentScreen({ initial, mayCancel, maySend }: PaymentScreenProps) {
  const { id } = initial.payment_request;
  const { data, error, refetch } = useLiveItem<ShownPayment>({
    initial,
    path: `/api/payment-requests/${id}`,
    types: PAYMENT_TYPES,
  });
  const { payment_request: request, timeline } = data;
  const isOpen = request.status === "requested";

  return (
    <DetailsPage
      title={`${request.amount_text} ${request.currency.toUpperCase()}`}
      breadcrumbs={[{ label: "Payment requests", href: "/payments" }]}
      status={<PaymentBadge request={request} />}
      description={<span dir="auto">{request.description ?? "No description"}</span>}
      actions={
        isOpen ? (
          <>
            {mayCancel && <CancelPayment id={id} onCanceled={() => void refetch()} />}
            {maySend && (
              <SendIntoChatButton
                label="Send to a chat"
                note="Direct iMessage chats receive a card that shows when the request is paid. Other chats receive the link."
                message={(chat) => messageFor(chat, request.checkout_url)}
                onSent={() => void refetch()}
              />
            )}
          </>
        ) : (
          request.status === "succeeded" && (
            <Button variant="outline" size="sm" onClick={() => window.print()}>
              <Printer aria-hidden="true" />
              Print receipt
            </Button>
          )
        )
      }
      failure={error}
      onRetry={() => void refetch()}
    >
      {isOpen && <PaymentLink url={request.checkout_url} note="Anyone with this link can pay" />}
      <div className="@container min-w-0">
        <div className="grid min-w-0 items-start gap-6 @4xl:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-6">
            <PaymentReversals request={request} />
            <PaymentDetails request={request} />
          </div>
          <PaymentTimeline steps={timeline} />
        </div>
      </div>
    </DetailsPage>
  );
}

function messageFor({ is_group, service }: Chat, url: string) {
  if (is_group || service !== "iMessage") return { parts: [{ type: "link", value: url }] };
  return { experience: { name: "servicepay", action: "request_payment", params: { checkout_url: url } } };
}
