"use client";

import { ScrollText } from "lucide-react";
import type { DataColumn } from "@/components/data/data-table";
import { None } from "@/components/data/none";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { actionText, actorText, describeDetail } from "@/components/settings/describe-entry";
import { EntryObject } from "@/components/settings/entry-object";
import { Badge } from "@/components/ui/badge";
import type { LoadedSearch } from "@/lib/client/filters";
import type { AuditEntry } from "@/lib/identity/audit/list-audit-entries";
import type { ListTotal } from "@/lib/platform/lists/total-of";

const LOOK_MS = 15_000;

const columns: DataColumn<AuditEntry>[] = [
  {
    key: "action",
    header: "Action",
    cell: ({ action }) => <span className="font-medium">{actionText(action)}</span>,
  },
  { key: "object", header: "Object", cell: (entry) => <EntryObject entry={entry} /> },
  {
    key: "changes",
    header: "Changes",
    className: "sm:max-w-md",
    cell: (entry) => <EntryChanges entry={entry} />,
  },
  { key: "actor", header: "Actor", cell: ({ by }) => <EntryActor by={by} /> },
  {
    key: "address",
    header: "IP address",
    cell: ({ address }) =>
      address === null ? <None /> : <span className="font-mono text-xs">{address}</span>,
  },
  { key: "when", header: "When", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

type AuditLogProps = {
  found?: LoadedSearch<{ entries: AuditEntry[]; next_cursor: string | null; total: ListTotal }>;
};

/** The audit log of the account: who changed what, from where, with the values before and after. */
export function AuditLog({ found }: AuditLogProps) {
  return (
    <ListScreen
      found={found}
      label="Audit log"
      noun={{ one: "entry", many: "entries" }}
      rowsOf={(page) => page.entries}
      columns={columns}
      rowKey={({ id }) => id}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: ScrollText,
        title: "No entries yet",
        description:
          "Changes to this account appear here, with the person or API token that made them. Change an option to see the first entry.",
      }}
    />
  );
}

function EntryActor({ by }: { by: AuditEntry["by"] }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <span className="wrap-anywhere">{actorText(by)}</span>
      {by.is_operator && <Badge variant="neutral">Operator</Badge>}
      {by.type === "api" && by.name !== null && <Badge variant="neutral">API token</Badge>}
    </span>
  );
}

function EntryChanges({ entry }: { entry: AuditEntry }) {
  const changes = describeDetail(entry);
  if (changes.length === 0) return <None />;
  return (
    <ul className="space-y-0.5 text-xs">
      {changes.map(({ name, before, after }) => (
        <li key={name} className="wrap-anywhere whitespace-normal">
          <span className="text-muted-foreground">{name}: </span>
          {before !== undefined && (
            <>
              <del className="font-mono text-destructive-text">{before}</del>
              <span aria-hidden="true"> → </span>
            </>
          )}
          {before === undefined ? (
            <span className="font-mono">{after}</span>
          ) : (
            <ins className="font-mono text-success no-underline">{after}</ins>
          )}
        </li>
      ))}
    </ul>
  );
}
