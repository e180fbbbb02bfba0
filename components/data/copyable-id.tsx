"use client";

import { CopyButton } from "@/components/data/copy-button";
import { cn } from "@/lib/cn";

type CopyableIdProps = {
  value: string;
  /** What the id is of, as in "message id": it names the copy button. */
  label: string;
  /** Characters kept at each end; ids shorter than both ends and the dots are shown whole. */
  keep?: number;
  className?: string;
};

function truncateMiddle(value: string, keep: number): string {
  return value.length <= keep * 2 + 3 ? value : `${value.slice(0, keep)}…${value.slice(-keep)}`;
}

/** An id in the mono face, shortened in the middle, with a button that copies all of it. */
export function CopyableId({ value, label, keep = 8, className }: CopyableIdProps) {
  return (
    <span className={cn("inline-flex items-center gap-1 font-mono text-xs", className)}>
      <span className="sr-only">{value}</span>
      <span title={value} aria-hidden="true" className="whitespace-nowrap">
        {truncateMiddle(value, keep)}
      </span>
      <CopyButton value={value} label={label} />
    </span>
  );
}
