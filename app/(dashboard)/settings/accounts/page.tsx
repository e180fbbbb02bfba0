import { AccountList } from "@/components/accounts/account-list";
import { SettingsFrame } from "@/components/settings/settings-frame";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { ListAccounts, listAccounts } from "@/lib/identity/accounts/list-accounts";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Accounts" };

const FILTERS: Filter[] = [
  {
    type: "select",
    name: "status",
    label: "Status",
    all: "All statuses",
    options: [
      { value: "active", label: "Active" },
      { value: "archived", label: "Archived" },
    ],
  },
];

export default async function AccountsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx } = await requireAccount("manage_accounts");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/accounts",
    query: ListAccounts.query,
    filters: FILTERS,
    search: (query) => listAccounts(ctx, { query }),
  });
  return (
    <SettingsFrame current="accounts">
      <AccountList found={loaded} />
    </SettingsFrame>
  );
}
