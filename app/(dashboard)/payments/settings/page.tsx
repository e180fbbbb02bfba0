import { PageHeader } from "@/components/data/page-header";
import { BrandingForm } from "@/components/payment-settings/branding-form";
import { CardProviderCard } from "@/components/payment-settings/card-provider-card";
import { ConnectOutcome } from "@/components/payment-settings/connect-outcome";
import { ProcessorCard } from "@/components/payment-settings/processor-card";
import { PaymentTabs } from "@/components/payments/payment-tabs";
import { PageBody } from "@/components/shell/page-body";
import { listCardProviders } from "@/lib/payments/card-providers/list-card-providers";
import { getPaymentSettings } from "@/lib/payments/checkout/payment-settings";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Payment settings" };

type PaymentSettingsPageProps = { searchParams: Promise<{ connected?: string | string[] }> };

export default async function PaymentSettingsPage({ searchParams }: PaymentSettingsPageProps) {
  const { connected } = await searchParams;
  const { account, ctx, may } = await requireAccount("view_payments");
  const [settings, providers] = await Promise.all([getPaymentSettings(ctx), listCardProviders(ctx)]);
  const mayManage = may("manage_payments");
  return (
    <PageBody>
      <PageHeader
        title="Payment settings"
        description={
          mayManage
            ? "The card processor, card providers and checkout branding of this account."
            : "The card processor, card providers and checkout branding of this account. Ask an admin or a developer to change them."
        }
      />
      <PaymentTabs current="settings" />
      {mayManage && <ConnectOutcome outcome={connected} />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <ProcessorCard settings={settings} isSandbox={account.type === "sandbox"} mayManage={mayManage} />
        {providers.map((provider) => (
          <CardProviderCard key={provider.provider} provider={provider} mayManage={mayManage} />
        ))}
      </div>
      <BrandingForm key={account.id} initial={settings} mayManage={mayManage} />
    </PageBody>
  );
}
