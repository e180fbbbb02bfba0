import { cache } from "react";
import { AgentPaymentScreen } from "@/components/agent-payments/agent-payment-screen";
import { getPaymentView } from "@/lib/payments/agent-payments/get-payment-view";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

type AgentPaymentPageProps = { params: Promise<{ paymentId: string }> };

const readPayment = cache(async (paymentId: string) => {
  const { ctx } = await requireAccount("view_payments");
  return findOrNotFound(paymentId, () => getPaymentView(ctx, { params: { paymentId } }));
});

export async function generateMetadata({ params }: AgentPaymentPageProps) {
  const { payment } = await readPayment((await params).paymentId);
  const about = payment.description ?? payment.merchant.name;
  return { title: `${[payment.amount_text, about].filter(Boolean).join(", ")} · Agent payment` };
}

export default async function AgentPaymentPage({ params }: AgentPaymentPageProps) {
  const { paymentId } = await params;
  const { may } = await requireAccount("view_payments");
  return (
    <AgentPaymentScreen
      key={paymentId}
      initial={await readPayment(paymentId)}
      mayManage={may("manage_payments")}
    />
  );
}
