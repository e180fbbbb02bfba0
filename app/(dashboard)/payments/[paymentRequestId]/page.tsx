import { notFound } from "next/navigation";
import { z } from "zod";
import { PaymentView } from "@/components/payments/payment-view";
import { showPaymentRequest } from "@/lib/payments/requests/show-payment-request";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Payment request" };

type PaymentPageProps = { params: Promise<{ paymentRequestId: string }> };

export default async function PaymentPage({ params }: PaymentPageProps) {
  const { paymentRequestId } = await params;
  const { ctx, may } = await requireAccount("view_payments");
  return (
    <PaymentView
      key={paymentRequestId}
      initial={await find(ctx, paymentRequestId)}
      mayCancel={may("request_payments")}
      maySend={may("send_messages")}
    />
  );
}

async function find(ctx: Context, paymentRequestId: string) {
  if (!z.uuid().safeParse(paymentRequestId).success) notFound();
  return showPaymentRequest(ctx, { params: { paymentRequestId } }).catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
}
