"use client";

import { Building2 } from "lucide-react";
import { AccountActions } from "@/components/accounts/account-actions";
import { AccountButton } from "@/components/accounts/account-button";
import { OpenAccount } from "@/components/accounts/open-account";
import { AccountBadge } from "@/components/data/account-badge";
import type { DataColumn } from "@/components/data/data-table";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { AccountMark } from "@/components/shell/account-mark";
import type { LoadedSearch } from "@/lib/client/filters";
import type { Account } from "@/lib/identity/accounts/account";
import type { ListTotal } from "@/lib/platform/lists/total-of";

const columns: DataColumn<Account>[] = [
  {
    key: "account",
    header: "Account",
    cell: (account) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <AccountMark name={account.name} color={account.color} isArchived={account.archived_at !== null} />
        <OpenAccount account={account} />
      </span>
    ),
  },
  {
    key: "environment",
    header: "Environment",
    cell: ({ type }) => <AccountBadge kind="environment" value={type} />,
  },
  {
    key: "status",
    header: "Status",
    cell: ({ status }) => <AccountBadge kind="account" value={status} />,
  },
  { key: "created", header: "Created", cell: ({ created_at }) => <Timestamp value={created_at} /> },
  {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    className: "sm:text-right",
    cell: (account) => <AccountActions account={account} />,
  },
];

type AccountListProps = {
  found?: LoadedSearch<{ accounts: Account[]; next_cursor: string | null; total: ListTotal }>;
};

/** The sandbox and production accounts of the partner. */
export function AccountList({ found }: AccountListProps) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted-foreground text-sm">
          Sandbox accounts are for tests. Production accounts message real recipients.
        </p>
        <AccountButton account={null} isLoaded={found !== undefined} />
      </div>
      <ListScreen
        found={found}
        label="Accounts"
        noun={{ one: "account", many: "accounts" }}
        further="more accounts"
        rowsOf={(page) => page.accounts}
        columns={columns}
        rowKey={({ id }) => id}
        live={{}}
        empty={{
          icon: Building2,
          title: "No accounts",
          description: "Accounts of the partner appear here. Create an account.",
        }}
      />
    </>
  );
}
