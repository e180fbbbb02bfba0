import { None } from "@/components/data/none";
import type { PaymentView } from "@/lib/payments/agent-payments/list-payment-views";

const WORDS = {
  agent: "Your agent",
  customer: "Customer",
  merchant: "Merchant",
};

/** The party whose action the payment is waiting for. */
export function WaitingFor({ payment }: { payment: PaymentView }) {
  return payment.waits_for === null ? <None /> : WORDS[payment.waits_for];
}
