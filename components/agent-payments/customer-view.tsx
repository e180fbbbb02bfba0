"use client";

import { useQuery } from "@tanstack/react-query";
import { Receipt } from "lucide-react";
import Link from "next/link";
import { AgentPaymentTable } from "@/components/agent-payments/agent-payment-table";
import { AGENT_PAYMENT_TYPES } from "@/components/agent-payments/agent-payment-types";
import { CustomerFacts, type ShownCustomer } from "@/components/agent-payments/customer-facts";
import { ResetPasskeys } from "@/components/agent-payments/reset-passkeys";
import { RevokeConsent } from "@/components/agent-payments/revoke-consent";
import { EmptyState } from "@/components/data/empty-state";
import { ListEnd } from "@/components/data/list-end";
import { PageHeader } from "@/components/data/page-header";
import { StatusBadge } from "@/components/data/status-badge";
import { useLivePages } from "@/components/data/use-live-pages";
import { PaymentTotals } from "@/components/payments/payment-totals";
import { PageBody } from "@/components/shell/page-body";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { ListedPayment } from "@/lib/payments/agent-payments/list-agent-payments";

type AgentPage = { payments: ListedPayment[]; next_cursor: string | null };

const PATH = "/api/agent-payments";

type CustomerViewProps = {
  initial: ShownCustomer;
  payments: AgentPage;
  mayManage: boolean;
  mayResetPasskeys: boolean;
};

/** One customer: the consent, what approves, and every payment made for them. */
export function CustomerView({ initial, payments: first, mayManage, mayResetPasskeys }: CustomerViewProps) {
  const { handle } = initial;
  const query = { handle };
  const { list, pages, refresh } = useLivePages<AgentPage>({
    initial: first,
    path: PATH,
    query,
    types: AGENT_PAYMENT_TYPES,
  });
  const { data, refetch } = useQuery<ShownCustomer, ApiFailure>({
    queryKey: [PATH, "customer", handle],
    queryFn: ({ signal }) => apiFetch(`${PATH}/connections/${encodeURIComponent(handle)}`, { signal }),
    initialData: initial,
  });
  const [connection] = data.connections;

  return (
    <PageBody className="max-w-none">
      <PageHeader
        title={handle}
        breadcrumbs={[
          { label: "Agent payments", href: "/agent-payments" },
          { label: "Connected customers", href: "/agent-payments/customers" },
        ]}
        status={connection && <StatusBadge kind="consent" value={connection.status} />}
        description="What your agents paid for this customer, and the consent they do it by."
        actions={
          <>
            <Button asChild variant="outline" size="sm">
              <Link href={`/chats${queryString({ q: handle })}`}>Open the chats</Link>
            </Button>
            {mayResetPasskeys && data.passkey !== null && (
              <ResetPasskeys handle={handle} onDone={() => void refetch()} />
            )}
            {mayManage && connection && connection.status !== "revoked" && (
              <RevokeConsent handle={handle} onDone={refresh} />
            )}
          </>
        }
      />
      <CustomerFacts customer={data} />
      <section aria-label="Payments" className="flex min-w-0 flex-col gap-3">
        <h2 className="font-medium text-sm">Payments</h2>
        <PaymentTotals totals={data.totals} />
        <AgentPaymentTable
          payments={pages.flatMap((page) => page.payments)}
          empty={
            <EmptyState
              icon={Receipt}
              title="No payment yet"
              description="An agent begins one with POST /v3/payments and this customer's number as handle."
            />
          }
        />
        <ListEnd list={list} label="older payments" />
      </section>
    </PageBody>
  );
}
