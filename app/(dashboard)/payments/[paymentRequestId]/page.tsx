import { PaymentView } from "@/components/payments/payment-view";
import { showPaymentRequest } from "@/lib/payments/requests/show-payment-request";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

export const metadata = { title: "Payment request" };

type PaymentPageProps = { params: Promise<{ paymentRequestId: string }> };

export default async function PaymentPage({ params }: PaymentPageProps) {
  const { paymentRequestId } = await params;
  const { ctx, may } = await requireAccount("view_payments");
  return (
    <PaymentView
      key={paymentRequestId}
      initial={
        await findOrNotFound(paymentRequestId, () =>
          showPaymentRequest(ctx, { params: { paymentRequestId } }),
        )
      }
      mayCancel={may("request_payments")}
      maySend={may("send_messages")}
    />
  );
}
