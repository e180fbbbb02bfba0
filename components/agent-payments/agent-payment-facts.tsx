import { CopyableId } from "@/components/data/copyable-id";
import { Fact, FactList } from "@/components/data/fact-list";
import { Timestamp } from "@/components/data/timestamp";
import type { ListedPayment } from "@/lib/agent-payments/list-agent-payments";

/** What is known of an agent payment besides its way. */
export function AgentPaymentFacts({ payment }: { payment: ListedPayment }) {
  const { merchant, approved_at, ended_at } = payment;
  return (
    <FactList>
      <Fact name="Payment">
        <CopyableId value={payment.internal_id} label="payment id" />
      </Fact>
      <Fact name="Customer">
        <span className="tabular-nums">{payment.handle}</span>
      </Fact>
      <Fact name="Merchant">
        <span className="wrap-anywhere">
          {[merchant.name, merchant.url].filter((part) => part !== null).join(", ") || "Any"}
        </span>
      </Fact>
      <Fact name="Provider">{payment.provider}</Fact>
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
