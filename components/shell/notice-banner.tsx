"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, Info, type LucideIcon, TriangleAlert, X } from "lucide-react";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { Timestamp } from "@/components/data/timestamp";
import { mayOpen } from "@/components/shell/navigation";
import { useMay } from "@/components/shell/rights";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { cn } from "@/lib/cn";
import type { Notice } from "@/lib/identity/notices/notice";

type NoticeBannerProps = { accountId: string; initial: Notice[]; mayDismiss: boolean };

// Notices have many causes and not all of them emit an event, so the banner polls.
const LOOK_MS = 5000;

const LOOKS = {
  critical: { icon: CircleAlert, rank: 0, className: "bg-destructive-text/8 text-destructive-text" },
  warning: { icon: TriangleAlert, rank: 1, className: "bg-warning-fill/15 text-warning" },
  info: { icon: Info, rank: 2, className: "bg-info/8 text-info" },
} satisfies Record<Notice["severity"], { icon: LucideIcon; rank: number; className: string }>;

/** Notices on every page: the most severe first, the others after a click. */
export function NoticeBanner({ accountId, initial, mayDismiss }: NoticeBannerProps) {
  const [unfolded, setUnfolded] = useState(false);
  const queryClient = useQueryClient();
  const key = ["notices", accountId];
  const { data } = useQuery<{ notices: Notice[] }, ApiFailure>({
    queryKey: key,
    queryFn: ({ signal }) => apiFetch("/api/notices", { signal }),
    initialData: { notices: initial },
    refetchInterval: LOOK_MS,
  });
  const dismiss = useMutation<void, ApiFailure, string>({
    mutationFn: (id) => apiFetch(`/api/notices/${id}`, { method: "DELETE" }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key }),
    onError: ({ message }) => toast.error(message),
  });
  const banner = useNoticesHeight();
  const notices = data.notices.toSorted(
    (left, right) => LOOKS[left.severity].rank - LOOKS[right.severity].rank,
  );
  const hidden = notices.length - 1;

  return (
    <section ref={banner} aria-label="Notices" aria-live="polite" className="flex flex-col">
      {notices.slice(0, unfolded ? undefined : 1).map((notice) => (
        <NoticeLine
          key={notice.id}
          notice={notice}
          onDismiss={mayDismiss ? () => dismiss.mutate(notice.id) : undefined}
        />
      ))}
      {hidden > 0 && (
        <Button
          variant="ghost"
          size="xs"
          aria-expanded={unfolded}
          className="w-full rounded-none border-b"
          onClick={() => setUnfolded(!unfolded)}
        >
          {unfolded ? "Show less" : `Show ${hidden} more`}
        </Button>
      )}
    </section>
  );
}

/** Sets `--notices-height`, so that full-height pages such as chats leave room for the notices. */
function useNoticesHeight() {
  const banner = useRef<HTMLElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      document.documentElement.style.setProperty("--notices-height", `${height}px`);
    });
    if (banner.current) observer.observe(banner.current);
    return () => observer.disconnect();
  }, []);
  return banner;
}

function NoticeLine({ notice, onDismiss }: { notice: Notice; onDismiss: (() => void) | undefined }) {
  const may = useMay();
  const { icon: Icon, className } = LOOKS[notice.severity];
  return (
    <article
      aria-label={notice.title}
      className={cn("flex items-start gap-3 border-b px-4 py-2.5 text-sm sm:px-6", className)}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="wrap-anywhere min-w-0 flex-1 text-[0.8125rem] leading-relaxed">
        <span className="sr-only">{notice.severity}: </span>
        <span className="font-medium">{notice.title}.</span>{" "}
        <span className="text-foreground">
          {notice.body} <Timestamp value={notice.created_at} className="text-muted-foreground text-xs" />{" "}
          {notice.link && mayOpen(notice.link, may) && (
            <Link href={notice.link} className="whitespace-nowrap underline underline-offset-4">
              View details
            </Link>
          )}
        </span>
      </p>
      {onDismiss && (
        <Button
          variant="ghost"
          size="icon-xs"
          aria-label={`Dismiss: ${notice.title}`}
          title="Dismiss for all users of this account"
          onClick={onDismiss}
        >
          <X />
        </Button>
      )}
    </article>
  );
}
