import { AgentPaymentsView } from "@/components/agent-payments/agent-payments-view";
import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { ListAgentPayments, listAgentPayments } from "@/lib/payments/agent-payments/list-agent-payments";
import { totalAgentPayments } from "@/lib/payments/agent-payments/total-agent-payments";
import type { Context } from "@/lib/platform/context";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Agent payments" };

type AgentPaymentsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function AgentPaymentsPage({ searchParams }: AgentPaymentsPageProps) {
  const { account, ctx } = await requireAccount("view_payments");
  const { status, handle } = await searchParams;
  const filter = {
    ...(typeof status === "string" && status !== "" && { status }),
    ...(typeof handle === "string" && handle !== "" && { handle }),
  };
  const query = ListAgentPayments.query.safeParse(filter);
  const found = query.success ? await find(ctx, query.data) : null;
  return (
    <PageBody className="max-w-none">
      <PageHeader
        title="Agent payments"
        description="Payments your agents make for customers, each with a card made for it alone."
      />
      <AgentTabs current="payments" />
      {found !== null ? (
        <AgentPaymentsView
          key={`${account.id} ${JSON.stringify(filter)}`}
          initial={found.page}
          totals={found.totals}
          filter={filter}
        />
      ) : (
        <ErrorNote title="This search is not possible">
          {query.error?.issues[0]?.message}. A customer is searched by the whole number, as +15550100101.
        </ErrorNote>
      )}
    </PageBody>
  );
}

async function find(ctx: Context, query: Parameters<typeof listAgentPayments>[1]["query"]) {
  const [page, { totals }] = await Promise.all([
    listAgentPayments(ctx, { query }),
    totalAgentPayments(ctx, { query }),
  ]);
  return { page, totals };
}
