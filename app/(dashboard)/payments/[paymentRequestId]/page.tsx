import { cache } from "react";
import { PaymentScreen } from "@/components/payments/payment-screen";
import { getPaymentRequestView } from "@/lib/payments/requests/get-payment-request-view";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

type PaymentPageProps = { params: Promise<{ paymentRequestId: string }> };

const readRequest = cache(async (paymentRequestId: string) => {
  const { ctx } = await requireAccount("view_payments");
  return findOrNotFound(paymentRequestId, () => getPaymentRequestView(ctx, { params: { paymentRequestId } }));
});

export async function generateMetadata({ params }: PaymentPageProps) {
  const { payment_request: request } = await readRequest((await params).paymentRequestId);
  const amount = `${request.amount_text} ${request.currency.toUpperCase()}`;
  return { title: `${[amount, request.description].filter(Boolean).join(", ")} · Payment request` };
}

export default async function PaymentPage({ params }: PaymentPageProps) {
  const { paymentRequestId } = await params;
  const { may } = await requireAccount("view_payments");
  return (
    <PaymentScreen
      key={paymentRequestId}
      initial={await readRequest(paymentRequestId)}
      mayCancel={may("request_payments")}
      maySend={may("send_messages")}
    />
  );
}
