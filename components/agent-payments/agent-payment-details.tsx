import Link from "next/link";
import { providerName } from "@/components/agent-payments/provider-name";
import { NamedHandle } from "@/components/customers/handle-link";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { Fact, FactList } from "@/components/data/fact-list";
import { Timestamp } from "@/components/data/time/timestamp";
import type { PaymentView } from "@/lib/payments/agent-payments/list-payment-views";

const CARDS = {
  none: "Not created yet",
  open: "Open, can be charged",
  closed: "Closed",
} as const;

/** The details of an agent payment: customer, merchant, card, limits and ids. */
export function AgentPaymentDetails({ payment }: { payment: PaymentView }) {
  const { merchant, approved_at, ended_at } = payment;
  return (
    <FactList>
      <Fact name="Payment">
        <CopyableId value={payment.internal_id} label="payment ID" />
      </Fact>
      <Fact name="Customer">
        {payment.handle && (
          <Link
            href={`/agent-payments/customers/${encodeURIComponent(payment.handle)}`}
            className="tabular-nums underline underline-offset-4"
          >
            <NamedHandle handle={payment.handle} />
          </Link>
        )}
      </Fact>
      <Fact name="Merchant">
        <span className="wrap-anywhere" dir="auto">
          {[merchant.name, merchant.url].filter((part) => part !== null).join(", ") || "Any"}
        </span>
      </Fact>
      <Fact name="Provider">{providerName(payment.provider)}</Fact>
      <Fact name="Card">{CARDS[payment.card ?? "none"]}</Fact>
      <Fact name="Created">
        <Timestamp value={payment.created_at} format="moment" />
      </Fact>
      {approved_at && (
        <Fact name="Approved">
          <Timestamp value={approved_at} format="moment" />
        </Fact>
      )}
      {ended_at && (
        <Fact name="Ended">
          <Timestamp value={ended_at} format="moment" />
        </Fact>
      )}
      {Object.entries(payment.metadata).map(([name, value]) => (
        <Fact key={name} name={name}>
          <span className="wrap-anywhere">{value}</span>
        </Fact>
      ))}
    </FactList>
  );
}
