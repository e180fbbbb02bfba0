import { AgentPaymentView } from "@/components/agent-payments/agent-payment-view";
import { showAgentPayment } from "@/lib/payments/agent-payments/show-agent-payment";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

export const metadata = { title: "Agent payment" };

type AgentPaymentPageProps = { params: Promise<{ paymentId: string }> };

export default async function AgentPaymentPage({ params }: AgentPaymentPageProps) {
  const { paymentId } = await params;
  const { ctx, may } = await requireAccount("view_payments");
  return (
    <AgentPaymentView
      key={paymentId}
      initial={await findOrNotFound(paymentId, () => showAgentPayment(ctx, { params: { paymentId } }))}
      mayManage={may("manage_payments")}
    />
  );
}
