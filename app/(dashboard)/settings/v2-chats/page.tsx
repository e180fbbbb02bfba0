import { ImportV2ChatIds } from "@/components/settings/import-v2-chats";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "V2 chats" };

export default async function V2ChatsPage() {
  const { account, may } = await requireAccount("view_account");
  return (
    <SettingsFrame current="v2-chats">
      <ImportV2ChatIds key={account.id} mayManage={may("manage_account")} />
    </SettingsFrame>
  );
}
