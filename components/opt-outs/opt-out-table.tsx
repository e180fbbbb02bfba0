"use client";

import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import { actorName, beganBy } from "@/components/opt-outs/describe-opt-out";
import type { OptOut } from "@/lib/recipients/opt-outs/list-opt-outs";

const columns: DataColumn<OptOut>[] = [
  {
    key: "handle",
    header: "Handle",
    cell: ({ handle }) => <span className="wrap-anywhere tabular-nums">{handle}</span>,
  },
  {
    key: "state",
    header: "State",
    cell: ({ ended_at }) => <StatusBadge kind="optOut" value={ended_at === null ? "open" : "ended"} />,
  },
  { key: "why", header: "Why", className: "max-sm:text-right", cell: (optOut) => beganBy(optOut) },
  { key: "since", header: "Since", cell: ({ started_at }) => <Timestamp value={started_at} /> },
  { key: "overridden", header: "Last overridden", cell: (optOut) => <LastOverride optOut={optOut} /> },
];

type OptOutTableProps = {
  optOuts: OptOut[];
  selectedId: string | undefined;
  onSelect: (optOut: OptOut) => void;
  empty: ReactNode;
};

/** Opt-outs as rows that open their evidence. */
export function OptOutTable({ optOuts, selectedId, onSelect, empty }: OptOutTableProps) {
  return (
    <DataTable
      label="Opt-outs"
      columns={columns}
      rows={optOuts}
      rowKey={({ id }) => id}
      onRowSelect={onSelect}
      {...(selectedId !== undefined && { selectedKey: selectedId })}
      empty={empty}
    />
  );
}

function LastOverride({ optOut: { overrides } }: { optOut: OptOut }) {
  const [last] = overrides;
  if (last === undefined) return <span className="text-muted-foreground">Never</span>;
  return (
    <span className="max-sm:text-right">
      {actorName(last.by)}, <Timestamp value={last.at} />
    </span>
  );
}
