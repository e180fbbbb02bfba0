"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { AgentPaymentList, type AgentPaymentPage } from "@/components/agent-payments/agent-payment-list";
import { CustomerDetails, type ShownCustomer } from "@/components/agent-payments/customer-details";
import { ResetPasskeys } from "@/components/agent-payments/reset-passkeys";
import { RevokeConsent } from "@/components/agent-payments/revoke-consent";
import { customerHref } from "@/components/customers/customer-href";
import { RecordBadge } from "@/components/data/record-badge";
import { DetailsPage } from "@/components/details/details-page";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LoadedSearch } from "@/lib/client/filters";

const PATH = "/api/agent-payments";

type ConnectedCustomerScreenProps = {
  initial: ShownCustomer;
  found: LoadedSearch<AgentPaymentPage>;
  mayManage: boolean;
  mayResetPasskeys: boolean;
};

/** One customer: consent, passkeys and every payment made on the customer's behalf. */
export function ConnectedCustomerScreen({
  initial,
  found,
  mayManage,
  mayResetPasskeys,
}: ConnectedCustomerScreenProps) {
  const { handle } = initial;
  const { data, refetch } = useQuery<ShownCustomer, ApiFailure>({
    queryKey: [PATH, "customer", handle],
    queryFn: ({ signal }) => apiFetch(`${PATH}/connections/${encodeURIComponent(handle)}`, { signal }),
    initialData: initial,
  });
  const [connection] = data.connections;

  return (
    <DetailsPage
      isWide
      title={handle}
      breadcrumbs={[
        { label: "Agent payments", href: "/agent-payments" },
        { label: "Connected customers", href: "/agent-payments/customers" },
      ]}
      status={connection && <RecordBadge kind="consent" value={connection.status} />}
      description="This customer's consent, and the payments your agents made on the customer's behalf."
      actions={
        <>
          <Button asChild variant="outline" size="sm">
            <Link href={customerHref(handle)}>Open customer</Link>
          </Button>
          {mayResetPasskeys && data.passkey !== null && (
            <ResetPasskeys handle={handle} onDone={() => void refetch()} />
          )}
          {mayManage && connection && connection.status !== "revoked" && <RevokeConsent handle={handle} />}
        </>
      }
    >
      <CustomerDetails customer={data} />
      <section aria-label="Payments" className="flex min-w-0 flex-col gap-3">
        <h2 className="font-medium text-sm">Payments</h2>
        <AgentPaymentList
          found={found}
          totals={initial.totals}
          firstStep="Payments for this customer appear here. Start one with POST /v3/payments and this customer's number as the handle."
        />
      </section>
    </DetailsPage>
  );
}
