"use client";

import { useQuery } from "@tanstack/react-query";
import { TIERS } from "@/components/attachments/describe-file";
import { formatBytes } from "@/components/data/format-bytes";
import type { StoredTotal } from "@/lib/attachments/files/total-attachments";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const PATH = "/api/attachments/totals";
const REFRESH_MS = 15_000;

/** Storage used per tier. */
export function AttachmentTotals({ initial }: { initial: StoredTotal[] }) {
  const { data } = useQuery<{ totals: StoredTotal[] }, ApiFailure>({
    queryKey: [PATH],
    queryFn: ({ signal }) => apiFetch(PATH, { signal }),
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    initialData: { totals: initial },
  });
  return (
    <dl aria-label="Storage used" className="flex flex-wrap gap-2">
      {data.totals.map(({ tier, count, size_bytes }) => (
        <div key={tier} className="flex min-w-40 flex-col gap-0.5 rounded-lg border bg-card px-3.5 py-2.5">
          <dt className="text-muted-foreground text-xs">{TIERS[tier]} storage</dt>
          <dd className="tabular-nums">
            <span className="font-semibold text-base">{formatBytes(size_bytes)}</span>
            <span className="text-muted-foreground text-xs">
              {" "}
              in {count.toLocaleString("en-US")} {count === 1 ? "file" : "files"}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
