import { AgentPaymentScreen } from "@/components/agent-payments/agent-payment-screen";
import { getPaymentView } from "@/lib/payments/agent-payments/get-payment-view";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

export const metadata = { title: "Agent payment" };

type AgentPaymentPageProps = { params: Promise<{ paymentId: string }> };

export default async function AgentPaymentPage({ params }: AgentPaymentPageProps) {
  const { paymentId } = await params;
  const { ctx, may } = await requireAccount("view_payments");
  return (
    <AgentPaymentScreen
      key={paymentId}
      initial={await findOrNotFound(paymentId, () => getPaymentView(ctx, { params: { paymentId } }))}
      mayManage={may("manage_payments")}
    />
  );
}
