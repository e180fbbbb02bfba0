import { ChangeHistory } from "@/components/settings/change-history";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { ListAccountChanges, listAccountChanges } from "@/lib/identity/audit/list-account-changes";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Settings history" };

export default async function SettingsHistoryPage() {
  const { ctx } = await requireAccount("view_history");
  const loaded = await loadSearch(
    ctx,
    {},
    {
      api: "/api/account/changes",
      query: ListAccountChanges.query,
      filters: [],
      search: (query) => listAccountChanges(ctx, { query }),
    },
  );
  return (
    <SettingsFrame current="history">
      <ChangeHistory found={loaded} />
    </SettingsFrame>
  );
}
