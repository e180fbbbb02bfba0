"use client";

import { BellOff } from "lucide-react";
import Link from "next/link";
import type { DataColumn } from "@/components/data/data-table";
import { Grouped } from "@/components/data/grouped";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { NoticeSeverity } from "@/components/notices/notice-severity";
import { useNoticeChange } from "@/components/notices/use-notice-change";
import { mayOpen } from "@/components/shell/navigation";
import { useMay } from "@/components/shell/rights";
import { Button } from "@/components/ui/button";
import type { LoadedSearch } from "@/lib/client/filters";
import type { Notice } from "@/lib/identity/notices/notice";
import type { ListTotal } from "@/lib/platform/lists/total-of";

type NoticePage = { notices: Notice[]; next_cursor: string | null; total: ListTotal };

const LOOK_MS = 15_000;

const columns: DataColumn<Notice>[] = [
  {
    key: "notice",
    header: "Notice",
    className: "whitespace-normal",
    cell: (notice) => (
      <span className="flex items-start gap-3 text-left">
        <span className="mt-0.5">
          <NoticeSeverity severity={notice.severity} />
        </span>
        <span className="wrap-anywhere min-w-0">
          <span className="block font-medium">
            <Grouped>{notice.title}</Grouped>
          </span>
          <span className="block text-muted-foreground text-xs leading-relaxed">
            <Grouped>{notice.body}</Grouped>
          </span>
        </span>
      </span>
    ),
  },
  { key: "created", header: "Created", cell: ({ created_at }) => <Timestamp value={created_at} /> },
  { key: "state", header: "Status", cell: (notice) => <NoticeState notice={notice} /> },
  {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    className: "sm:text-right",
    cell: (notice) => <NoticeActions notice={notice} />,
  },
];

/** The account's notices, also those that were dismissed or have ended. */
export function NoticeList({ found }: { found?: LoadedSearch<NoticePage> }) {
  return (
    <ListScreen
      found={found}
      label="Notices"
      noun={{ one: "notice", many: "notices" }}
      rowsOf={(page) => page.notices}
      columns={columns}
      rowKey={({ id }) => id}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: BellOff,
        title: "No notices yet",
        description:
          "Problems with webhook endpoints, API tokens and this account, mentions of you and chats assigned to your teams appear here. There were none so far.",
      }}
    />
  );
}

function NoticeState({ notice: { state, closed_at } }: { notice: Notice }) {
  if (closed_at === null) return "Open";
  return (
    <span className="text-muted-foreground">
      {state === "dismissed" ? "Dismissed" : "Ended"} <Timestamp value={closed_at} />
    </span>
  );
}

function NoticeActions({ notice }: { notice: Notice }) {
  const may = useMay();
  const { dismiss, restore, isPending } = useNoticeChange();
  return (
    <span className="inline-flex gap-1.5">
      {notice.link && mayOpen(notice.link, may) && (
        <Button asChild variant="outline" size="sm">
          <Link href={notice.link}>
            View details<span className="sr-only">: {notice.title}</span>
          </Link>
        </Button>
      )}
      {notice.state === "open" && (
        <Button variant="ghost" size="sm" disabled={isPending} onClick={() => dismiss(notice)}>
          Dismiss<span className="sr-only">: {notice.title}</span>
        </Button>
      )}
      {notice.state === "dismissed" && (
        <Button variant="ghost" size="sm" disabled={isPending} onClick={() => restore(notice)}>
          Show again<span className="sr-only">: {notice.title}</span>
        </Button>
      )}
    </span>
  );
}
