import { ChangeHistory } from "@/components/settings/change-history";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { ListAccountChanges, listAccountChanges } from "@/lib/identity/audit/list-account-changes";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "History of the settings" };

export default async function SettingsHistoryPage() {
  const { account, ctx } = await requireAccount("view_history");
  const initial = await listAccountChanges(ctx, { query: ListAccountChanges.query.parse({}) });
  return (
    <SettingsFrame current="history">
      <ChangeHistory key={account.id} initial={initial} />
    </SettingsFrame>
  );
}
