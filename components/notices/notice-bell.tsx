"use client";

import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { bySeverity } from "@/components/notices/notice-severity";
import { NOTICES_PATH } from "@/components/notices/use-notice-change";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { cn } from "@/lib/cn";
import type { Notice } from "@/lib/identity/notices/notice";

export type OpenNotices = { notices: Notice[]; next_cursor: string | null };

type NoticeBellProps = { accountId: string; initial: OpenNotices };

// Notices have many causes and not all of them emit an event, so the bell polls.
const LOOK_MS = 5000;
const load = async () => (await import("@/components/notices/notice-panel")).NoticePanel;

/** The number of open notices in the header, and the most severe ones after a click. */
export function NoticeBell({ accountId, initial }: NoticeBellProps) {
  const { data } = useQuery<OpenNotices, ApiFailure>({
    queryKey: [NOTICES_PATH, "open", accountId],
    queryFn: ({ signal }) => apiFetch(`${NOTICES_PATH}${queryString({ status: "open" })}`, { signal }),
    initialData: initial,
    refetchInterval: LOOK_MS,
  });
  const notices = data.notices.toSorted(bySeverity);
  const count = `${notices.length}${data.next_cursor === null ? "" : "+"}`;
  const isCritical = notices[0]?.severity === "critical";
  const spoken = notices.length === 1 ? "1 notice" : `${count} notices`;

  return (
    <>
      <LazyOpen
        popup="dialog"
        load={load}
        props={{ notices }}
        trigger={
          <Button variant="ghost" size="icon" className="relative" aria-label={spoken} title={spoken}>
            <Bell />
            {notices.length > 0 && (
              <span
                aria-hidden="true"
                className={cn(
                  "absolute top-0.5 right-0.5 flex h-4 min-w-4 items-center justify-center rounded-full px-1 font-medium text-[0.625rem] tabular-nums leading-none",
                  isCritical
                    ? "bg-destructive text-destructive-foreground"
                    : "bg-primary text-primary-foreground",
                )}
              >
                {count}
              </span>
            )}
          </Button>
        }
      />
      <span role="status" className="sr-only">
        {isCritical ? `Critical notice: ${notices[0]?.title}` : ""}
      </span>
    </>
  );
}
