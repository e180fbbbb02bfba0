import { PaymentScreen } from "@/components/payments/payment-screen";
import { getPaymentRequestView } from "@/lib/payments/requests/get-payment-request-view";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

export const metadata = { title: "Payment request" };

type PaymentPageProps = { params: Promise<{ paymentRequestId: string }> };

export default async function PaymentPage({ params }: PaymentPageProps) {
  const { paymentRequestId } = await params;
  const { ctx, may } = await requireAccount("view_payments");
  return (
    <PaymentScreen
      key={paymentRequestId}
      initial={
        await findOrNotFound(paymentRequestId, () =>
          getPaymentRequestView(ctx, { params: { paymentRequestId } }),
        )
      }
      mayCancel={may("request_payments")}
      maySend={may("send_messages")}
    />
  );
}
