"use client";

import { History } from "lucide-react";
import type { DataColumn } from "@/components/data/data-table";
import { Timestamp } from "@/components/data/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { describeChange } from "@/components/settings/describe-change";
import type { LoadedSearch } from "@/lib/client/filters";
import type { AccountChange } from "@/lib/identity/audit/list-account-changes";
import type { ListTotal } from "@/lib/platform/total-of";

const LOOK_MS = 15_000;

const columns: DataColumn<AccountChange>[] = [
  { key: "what", header: "Change", cell: (change) => describeChange(change).what },
  {
    key: "detail",
    header: "Details",
    className: "sm:max-w-md",
    cell: (change) => (
      <span className="wrap-anywhere font-mono text-muted-foreground text-xs">
        {describeChange(change).detail}
      </span>
    ),
  },
  { key: "by", header: "By", cell: ({ by }) => by.name ?? (by.type === "system" ? "Trunkline" : by.type) },
  { key: "when", header: "When", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

type ChangeHistoryProps = {
  found?: LoadedSearch<{ changes: AccountChange[]; next_cursor: string | null; total: ListTotal }>;
};

/** The history of changes to the account's options, app clips, lines and contact cards. */
export function ChangeHistory({ found }: ChangeHistoryProps) {
  return (
    <ListScreen
      key={found?.id}
      found={found}
      label="Changes"
      noun={{ one: "change", many: "changes" }}
      rowsOf={(page) => page.changes}
      columns={columns}
      rowKey={({ id }) => id}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: History,
        title: "No changes yet",
        description:
          "Changes to options, app clips, lines and contact cards appear here, with the person who made them. Change an option to see the first entry.",
      }}
    />
  );
}
