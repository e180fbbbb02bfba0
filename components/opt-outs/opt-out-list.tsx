"use client";

import { ShieldCheck } from "lucide-react";
import dynamic from "next/dynamic";
import { NamedHandle } from "@/components/customers/handle-link";
import type { DataColumn } from "@/components/data/data-table";
import { RecordBadge } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { untilLoaded } from "@/components/data/until-loaded";
import { ListScreen } from "@/components/list/list-screen";
import { useOpenRow } from "@/components/list/use-open-row";
import { actorName, describeOptOutStart } from "@/components/opt-outs/describe-opt-out";
import type { LoadedSearch } from "@/lib/client/filters";
import type { ListTotal } from "@/lib/platform/lists/total-of";
import type { OptOut } from "@/lib/recipients/opt-outs/list-opt-outs";

// Loaded when an opt-out is first opened.
const OptOutDetails = dynamic(
  () => untilLoaded(async () => (await import("@/components/opt-outs/opt-out-details")).OptOutDetails),
  { loading: () => null },
);

const columns: DataColumn<OptOut>[] = [
  {
    key: "handle",
    header: "Person",
    cell: ({ handle }) => <NamedHandle handle={handle} />,
  },
  {
    key: "state",
    header: "Status",
    cell: ({ ended_at }) => <RecordBadge kind="optOut" value={ended_at === null ? "open" : "ended"} />,
  },
  {
    key: "why",
    header: "Reason",
    className: "max-sm:text-right",
    cell: (optOut) => describeOptOutStart(optOut),
  },
  { key: "since", header: "Since", cell: ({ started_at }) => <Timestamp value={started_at} /> },
  { key: "overridden", header: "Last overridden", cell: (optOut) => <LastOverride optOut={optOut} /> },
];

type OptOutListProps = {
  found?: LoadedSearch<{ opt_outs: OptOut[]; next_cursor: string | null; total: ListTotal }>;
  mayDecide?: boolean;
};

/** The account's opt-outs. Each row opens the opt-out's history. */
export function OptOutList({ found, mayDecide = false }: OptOutListProps) {
  const { open, show, close } = useOpenRow();
  return (
    <>
      <ListScreen
        found={found}
        label="Opt-outs"
        noun={{ one: "opt-out", many: "opt-outs" }}
        rowsOf={(page) => page.opt_outs}
        columns={columns}
        rowKey={({ id }) => id}
        onRowSelect={({ handle }) => show(handle)}
        live={{ types: ["message.received"] }}
        empty={{
          icon: ShieldCheck,
          title: "No opt-outs yet",
          description:
            "People who reply STOP appear here and receive no further messages. Add an opt-out for people who ask in another way.",
        }}
      />
      {open !== null && <OptOutDetails key={open} handle={open} mayDecide={mayDecide} onClose={close} />}
    </>
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
