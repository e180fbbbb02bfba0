import { AccountList } from "@/components/accounts/account-list";
import { SettingsFrame } from "@/components/settings/settings-frame";

export default function Loading() {
  return (
    <SettingsFrame current="accounts" isLoading>
      <AccountList />
    </SettingsFrame>
  );
}
