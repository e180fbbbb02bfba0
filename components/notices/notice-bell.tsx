"use client";

import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { bySeverity } from "@/components/notices/notice-severity";
import { NOTICES_PATH } from "@/components/notices/use-notice-change";
import { Button } from "@/components/ui/button";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { reportAnswered } from "@/lib/client/connection";
import { queryString } from "@/lib/client/query-string";
import { cn } from "@/lib/cn";
import type { Notice } from "@/lib/identity/notices/notice";

export type OpenNotices = { notices: Notice[]; next_cursor: string | null };

type NoticeBellProps = { accountId: string; initial: OpenNotices };

// Notices have many causes and not all of them emit an event, so the bell polls. On every page these requests also tell
// whether the server answers: a server that is frozen or gone is noticed within the sum of both times.
const LOOK_MS = 5000;
const ANSWER_MS = 4000;
const load = async () => (await import("@/components/notices/notice-panel")).NoticePanel;

/** The number of open notices in the header, and the most severe ones after a click. */
export function NoticeBell({ accountId, initial }: NoticeBellProps) {
  const { data } = useQuery<OpenNotices, ApiFailure>({
    queryKey: [NOTICES_PATH, "open", accountId],
    queryFn: ({ signal }) =>
      reportingAnswers(
        apiFetch(`${NOTICES_PATH}${queryString({ status: "open" })}`, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
        }),
        signal,
      ),
    initialData: initial,
    refetchInterval: LOOK_MS,
    retry: false,
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

/** Reports whether the server answered, unless the page itself ended the request. */
async function reportingAnswers<Answer>(request: Promise<Answer>, ended: AbortSignal): Promise<Answer> {
  try {
    const answer = await request;
    reportAnswered(true);
    return answer;
  } catch (error) {
    if (!ended.aborted) reportAnswered(error instanceof ApiFailure && error.code !== undefined);
    throw error;
  }
}
