"use client";

import { ShieldCheck } from "lucide-react";
import { UnblockHandle } from "@/components/blocked-handles/unblock-handle";
import { HandleLink } from "@/components/customers/handle-link";
import type { DataColumn } from "@/components/data/data-table";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { actorName } from "@/components/opt-outs/describe-opt-out";
import type { LoadedSearch } from "@/lib/client/filters";
import type { ListTotal } from "@/lib/platform/lists/total-of";
import type { BlockedHandleView } from "@/lib/recipients/blocks/list-blocked-handle-views";

/** The list polls, because blocking emits no event. */
const LOOK_MS = 15_000;

const columns: DataColumn<BlockedHandleView>[] = [
  {
    key: "handle",
    header: "Number or email",
    cell: ({ handle }) => <HandleLink handle={handle} className="font-medium" />,
  },
  {
    key: "reason",
    header: "Reason",
    className: "max-sm:text-right",
    cell: ({ reason }) =>
      reason === null ? (
        <span className="text-muted-foreground">None given</span>
      ) : (
        <span className="wrap-anywhere">{reason}</span>
      ),
  },
  {
    key: "by",
    header: "Blocked by",
    className: "max-sm:text-right",
    cell: ({ by, source_file: file }) => (
      <span className="wrap-anywhere">
        {actorName(by)}
        {file !== null && <span className="text-muted-foreground">, imported from “{file}”</span>}
      </span>
    ),
  },
  { key: "since", header: "Since", cell: ({ blocked_at }) => <Timestamp value={blocked_at} /> },
];

const unblock: DataColumn<BlockedHandleView> = {
  key: "unblock",
  header: "Unblock",
  hideHeader: true,
  align: "number",
  cell: ({ handle, reason }) => <UnblockHandle handle={handle} reason={reason} />,
};

type BlockListProps = {
  found?: LoadedSearch<{ blocks: BlockedHandleView[]; next_cursor: string | null; total: ListTotal }>;
  mayManage?: boolean;
};

/** The account's blocked handles. */
export function BlockList({ found, mayManage = false }: BlockListProps) {
  return (
    <ListScreen
      found={found}
      label="Blocked numbers"
      noun={{ one: "blocked number", many: "blocked numbers" }}
      rowsOf={(page) => page.blocks}
      columns={mayManage ? [...columns, unblock] : columns}
      rowKey={({ handle }) => handle}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: ShieldCheck,
        title: "No blocked numbers",
        description:
          "Numbers and email addresses that you block appear here. Messages from them are dropped, and you can't message them.",
      }}
    />
  );
}
