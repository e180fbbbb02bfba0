"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Grouped } from "@/components/data/grouped";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { Timestamp } from "@/components/data/time/timestamp";
import { NoticeSeverity } from "@/components/notices/notice-severity";
import { useNoticeChange } from "@/components/notices/use-notice-change";
import { mayOpen } from "@/components/shell/navigation";
import { useMay } from "@/components/shell/rights";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { Notice } from "@/lib/identity/notices/notice";

const SHOWN = 4;

/** The open notices of the bell. */
export function NoticePanel({ notices, trigger }: LoadedPopup & { notices: readonly Notice[] }) {
  const [open, setOpen] = useState(true);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent align="end" aria-label="Notices" className="w-96 p-0">
        <Notices notices={notices} onNavigate={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}

type NoticesProps = { notices: readonly Notice[]; onNavigate: () => void };

function Notices({ notices, onNavigate }: NoticesProps) {
  const [unfolded, setUnfolded] = useState(false);
  const hidden = notices.length - SHOWN;
  return (
    <section aria-label="Notices" className="flex max-h-[min(32rem,70dvh)] flex-col">
      {notices.length === 0 ? (
        <p className="px-4 py-5 text-muted-foreground">
          No open notices. Problems with endpoints, tokens and this account, mentions of you and chats of your
          teams appear here.
        </p>
      ) : (
        <div className="min-h-0 divide-y overflow-y-auto">
          {notices.slice(0, unfolded ? undefined : SHOWN).map((notice) => (
            <NoticeItem key={notice.id} notice={notice} onNavigate={onNavigate} />
          ))}
        </div>
      )}
      <div className="flex items-center justify-between gap-2 border-t px-2 py-1.5">
        <Button asChild variant="ghost" size="sm">
          <Link href="/notices" onClick={onNavigate}>
            All notices
          </Link>
        </Button>
        {hidden > 0 && (
          <Button variant="ghost" size="sm" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {unfolded ? "Show less" : `Show ${hidden} more`}
          </Button>
        )}
      </div>
    </section>
  );
}

function NoticeItem({ notice, onNavigate }: { notice: Notice; onNavigate: () => void }) {
  const may = useMay();
  const { dismiss, isPending } = useNoticeChange();
  return (
    <article aria-label={notice.title} className="flex items-start gap-3 px-4 py-3">
      <span className="mt-0.5">
        <NoticeSeverity severity={notice.severity} />
      </span>
      <div className="wrap-anywhere flex min-w-0 flex-1 flex-col gap-1">
        <p className="font-medium">
          <Grouped>{notice.title}</Grouped>
        </p>
        <p className="text-muted-foreground text-xs leading-relaxed">
          <Grouped>{notice.body}</Grouped>
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground text-xs">
          <Timestamp value={notice.created_at} />
          {notice.link && mayOpen(notice.link, may) && (
            <Link
              href={notice.link}
              onClick={onNavigate}
              className="py-1 text-foreground underline underline-offset-4"
            >
              View details
            </Link>
          )}
        </p>
      </div>
      <Button
        variant="ghost"
        size="icon-xs"
        aria-label={`Dismiss: ${notice.title}`}
        title="Dismiss for yourself"
        disabled={isPending}
        onClick={() => dismiss(notice)}
      >
        <X />
      </Button>
    </article>
  );
}
