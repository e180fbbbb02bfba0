import { notFound } from "next/navigation";
import { z } from "zod";
import { AgentPaymentView } from "@/components/agent-payments/agent-payment-view";
import { showAgentPayment } from "@/lib/payments/agent-payments/show-agent-payment";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Agent payment" };

type AgentPaymentPageProps = { params: Promise<{ paymentId: string }> };

export default async function AgentPaymentPage({ params }: AgentPaymentPageProps) {
  const { paymentId } = await params;
  const { ctx, may } = await requireAccount("view_payments");
  return (
    <AgentPaymentView
      key={paymentId}
      initial={await find(ctx, paymentId)}
      mayManage={may("manage_payments")}
    />
  );
}

async function find(ctx: Context, paymentId: string) {
  if (!z.uuid().safeParse(paymentId).success) notFound();
  return showAgentPayment(ctx, { params: { paymentId } }).catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
}
