"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { HandleLink } from "@/components/customers/handle-link";
import { CopyableId } from "@/components/data/copyable-id";
import { ErrorNote } from "@/components/data/error-note";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import { actorName, describeOptOutEnd, describeOptOutStart } from "@/components/opt-outs/describe-opt-out";
import { OptInDialog } from "@/components/opt-outs/opt-in-dialog";
import { optOutsKey } from "@/components/opt-outs/opt-outs-key";
import { Button } from "@/components/ui/button";
import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "@/components/ui/sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { OptOut } from "@/lib/recipients/opt-outs/list-opt-outs";

type OptOutDetailsProps = { handle: string; mayDecide: boolean; onClose: () => void };

/** The opt-out history of a handle, newest first, with the evidence for each opt-out. */
export function OptOutDetails({ handle, mayDecide, onClose }: OptOutDetailsProps) {
  const history = useQuery<{ opt_outs: OptOut[] }, ApiFailure>({
    queryKey: [...optOutsKey, "history", handle],
    queryFn: ({ signal }) =>
      apiFetch(`/api/opt-outs${queryString({ state: "all", handle, limit: 100 })}`, { signal }),
  });
  const optOuts = history.data?.opt_outs ?? [];
  const open = optOuts.some(({ ended_at }) => ended_at === null);
  return (
    <Sheet open onOpenChange={(next) => !next && onClose()}>
      <SheetContent className="overflow-y-auto pb-6">
        <SheetHeader>
          <SheetTitle className="wrap-anywhere tabular-nums">
            <HandleLink handle={handle} />
          </SheetTitle>
          <SheetDescription>
            Every opt-out of this handle and every send that overrode it, newest first.
          </SheetDescription>
        </SheetHeader>
        <div className="flex flex-col gap-4 px-5">
          {history.error && (
            <ErrorNote
              title="The opt-out history could not be loaded"
              code={history.error.code}
              traceId={history.error.traceId}
              onRetry={() => void history.refetch()}
            >
              {history.error.message}
            </ErrorNote>
          )}
          {history.isPending && <Skeleton className="h-40 w-full rounded-xl" />}
          {open && mayDecide && <OptInDialog handle={handle} />}
          <ol className="flex flex-col gap-3">
            {optOuts.map((optOut) => (
              <li key={optOut.id}>
                <OptOutEpisode optOut={optOut} />
              </li>
            ))}
          </ol>
        </div>
      </SheetContent>
    </Sheet>
  );
}

/** One opt-out: its start with the words that are its evidence, its overrides and its end. */
export function OptOutEpisode({ optOut }: { optOut: OptOut }) {
  const end = describeOptOutEnd(optOut);
  return (
    <article className="flex flex-col gap-3 rounded-xl border bg-card p-4 text-[0.8125rem] shadow-xs">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{describeOptOutStart(optOut)}</span>
        <StatusBadge kind="optOut" value={optOut.ended_at === null ? "open" : "ended"} />
      </div>
      {optOut.words !== null && optOut.words !== optOut.keyword && (
        <blockquote className="wrap-anywhere border-l-2 pl-3 text-muted-foreground">
          “{optOut.words}”
        </blockquote>
      )}
      <Moment at={optOut.started_at} chatId={optOut.chat_id} messageId={optOut.message_id} />
      {optOut.overrides.map((override) => (
        <div key={override.message_id} className="flex flex-col gap-1 border-t pt-3">
          <span className="wrap-anywhere">
            Overridden by {actorName(override.by)}
            {override.reason !== null && `: ${override.reason}`}
          </span>
          <Moment at={override.at} chatId={override.chat_id} messageId={override.message_id} />
        </div>
      ))}
      {end !== null && optOut.ended_at !== null && (
        <div className="flex flex-col gap-1 border-t pt-3">
          <span>{end}</span>
          <Moment at={optOut.ended_at} chatId={optOut.chat_id} messageId={optOut.end_message_id} />
        </div>
      )}
    </article>
  );
}

type MomentProps = { at: string; chatId: string | null; messageId: string | null };

function Moment({ at, chatId, messageId }: MomentProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground">
      <Timestamp value={at} format="moment" />
      {messageId !== null && (
        <span className="inline-flex items-center gap-1">
          Message <CopyableId value={messageId} label="message ID" keep={4} />
        </span>
      )}
      {chatId !== null && (
        <Button asChild variant="link" size="sm" className="h-auto p-0">
          <Link href={`/chats/${chatId}`}>Open chat</Link>
        </Button>
      )}
    </div>
  );
}
