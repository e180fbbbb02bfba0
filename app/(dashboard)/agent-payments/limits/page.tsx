import { AgentTabs } from "@/components/agent-payments/agent-tabs";
import { LimitsForm } from "@/components/agent-payments/limits-form";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { getAgentPaySettings } from "@/lib/payments/agent-payments/update-agent-pay-settings";
import { OFFERED_CURRENCIES } from "@/lib/payments/checkout/offered-currencies";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Limits of agent payments" };

export default async function LimitsPage() {
  const { account, ctx, may } = await requireAccount("view_payments");
  return (
    <PageBody>
      <PageHeader
        title="Limits"
        description="The spending limits and the allowed merchants of your agents."
      />
      <AgentTabs current="limits" />
      <LimitsForm
        key={account.id}
        initial={await getAgentPaySettings(ctx)}
        currencies={OFFERED_CURRENCIES}
        mayManage={may("manage_spending")}
      />
    </PageBody>
  );
}
