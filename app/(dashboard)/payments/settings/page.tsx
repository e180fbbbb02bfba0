import { PageHeader } from "@/components/data/page-header";
import { BrandingForm } from "@/components/payment-settings/branding-form";
import { CardProviderCard } from "@/components/payment-settings/card-provider-card";
import { ProcessorCard } from "@/components/payment-settings/processor-card";
import { PaymentTabs } from "@/components/payments/payment-tabs";
import { PageBody } from "@/components/shell/page-body";
import { getPaymentProvider } from "@/lib/agent-payments/get-payment-provider";
import { getPaymentSettings } from "@/lib/checkout/payment-settings";
import { requireAccount } from "@/lib/dashboard/current-session";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { roleHasRight } from "@/lib/users/role-rights";

export const metadata = { title: "Payment settings" };

const CARD_PROVIDER = "servicecard";

export default async function PaymentSettingsPage() {
  const { account, ctx } = await requireAccount();
  const [settings, provider] = await Promise.all([getPaymentSettings(ctx), findProvider(ctx)]);
  const mayManage = roleHasRight(account.role, "manage_payments");
  return (
    <PageBody>
      <PageHeader
        title="Payment settings"
        description={
          mayManage
            ? "How this account is paid, and how its checkout looks."
            : "How this account is paid, and how its checkout looks. An admin or a developer can change it."
        }
      />
      <PaymentTabs current="settings" />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <ProcessorCard settings={settings} isSandbox={account.type === "sandbox"} mayManage={mayManage} />
        <CardProviderCard provider={CARD_PROVIDER} initial={provider} mayManage={mayManage} />
      </div>
      <BrandingForm key={account.id} initial={settings} mayManage={mayManage} />
    </PageBody>
  );
}

// The sandbox's provider serves sandbox accounts alone, and there is no other yet.
async function findProvider(ctx: Context) {
  try {
    return (await getPaymentProvider(ctx, { params: { provider: CARD_PROVIDER } })).status;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
