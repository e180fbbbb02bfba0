import { ProductionChecklist } from "@/components/settings/production-checklist";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { getProductionChecklist } from "@/lib/runtime/dashboard/get-production-checklist";

export const metadata = { title: "Go to production" };

export default async function GoToProductionPage() {
  const { account, ctx } = await requireAccount("view_account");
  const initial = await getProductionChecklist(ctx);
  return (
    <SettingsFrame current="go-to-production">
      <ProductionChecklist key={account.id} initial={initial} />
    </SettingsFrame>
  );
}
