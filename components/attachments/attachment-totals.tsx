import { TIERS } from "@/components/attachments/describe-file";
import { formatBytes } from "@/components/data/format-bytes";
import type { StoredTotal } from "@/lib/attachments/total-attachments";

/** What the account stores, each tier by itself; null = it could not be counted in time. */
export function AttachmentTotals({ totals }: { totals: StoredTotal[] | null }) {
  if (totals === null) {
    return <p className="text-muted-foreground text-xs">There are too many files to count them here.</p>;
  }
  return (
    <dl aria-label="Stored" className="flex flex-wrap gap-2">
      {totals.map(({ tier, count, size_bytes }) => (
        <div key={tier} className="flex min-w-40 flex-col gap-0.5 rounded-lg border bg-card px-3.5 py-2.5">
          <dt className="text-muted-foreground text-xs">{TIERS[tier]}, stored</dt>
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
