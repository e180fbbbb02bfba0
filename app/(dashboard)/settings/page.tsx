import { ExportAccount } from "@/components/settings/export-account";
import { OptionsScreen } from "@/components/settings/options-screen";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { getAccountOptions } from "@/lib/identity/accounts/get-account-options";
import { checkoutUrl } from "@/lib/platform/env";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Settings" };

export default async function SettingsPage() {
  const { account, ctx, may } = await requireAccount("view_account");
  const options = await getAccountOptions(ctx);
  return (
    <SettingsFrame current="options">
      <OptionsScreen
        key={account.id}
        initial={options}
        checkoutPrefix={`${checkoutUrl()}/pay/`}
        mayManage={may("manage_account")}
      />
      {may("manage_personal_data") && <ExportAccount />}
    </SettingsFrame>
  );
}
