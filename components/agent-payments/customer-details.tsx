import { providerName } from "@/components/agent-payments/provider-name";
import { Fact, FactList } from "@/components/data/fact-list";
import { Timestamp } from "@/components/data/time/timestamp";
import type { PaymentTotal } from "@/components/payments/payment-totals";
import type { HandleConnectionView } from "@/lib/payments/connections/list-handle-connection-views";

export type ShownCustomer = {
  handle: string;
  connections: HandleConnectionView[];
  passkey: { created_at: string; last_used_at: string | null } | null;
  totals: PaymentTotal[];
};

/** A customer's consent and passkeys. */
export function CustomerDetails({ customer }: { customer: ShownCustomer }) {
  const { connections, passkey } = customer;
  return (
    <FactList className="max-w-4xl">
      {connections.length === 0 && <Fact name="Consent">Never requested</Fact>}
      {connections.map((connection) => (
        <ConnectionDetails key={connection.provider} connection={connection} />
      ))}
      <Fact name="Passkey">
        {passkey === null ? (
          <span className="text-muted-foreground">No passkey yet</span>
        ) : (
          <>
            Created <Timestamp value={passkey.created_at} />
          </>
        )}
      </Fact>
      {passkey?.last_used_at && (
        <Fact name="Last approval">
          <Timestamp value={passkey.last_used_at} />
        </Fact>
      )}
    </FactList>
  );
}

function ConnectionDetails({ connection }: { connection: HandleConnectionView }) {
  const { provider, connected_at, revoked_at, payments, last_paid_at } = connection;
  const moments = [
    ["Connected", connected_at],
    ["Revoked", revoked_at],
    ["Last used", last_paid_at],
  ] as const;
  return (
    <>
      <Fact name="Provider">{providerName(provider)}</Fact>
      <Fact name="Cards made">
        <span className="tabular-nums">{payments}</span>
      </Fact>
      {moments.map(
        ([name, moment]) =>
          moment !== null && (
            <Fact key={name} name={name}>
              <Timestamp value={moment} format="moment" />
            </Fact>
          ),
      )}
    </>
  );
}
