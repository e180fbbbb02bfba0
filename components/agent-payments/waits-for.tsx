import { None } from "@/components/data/none";
import type { ListedPayment } from "@/lib/payments/agent-payments/list-agent-payments";

const WORDS = {
  agent: "Your agent",
  customer: "The customer",
  merchant: "The merchant",
};

/** Who must act next. */
export function WaitsFor({ payment }: { payment: ListedPayment }) {
  return payment.waits_for === null ? <None /> : WORDS[payment.waits_for];
}
