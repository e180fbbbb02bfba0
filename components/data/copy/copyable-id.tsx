"use client";

import { CopyButton } from "@/components/data/copy/copy-button";
import { cn } from "@/lib/cn";

type CopyableIdProps = {
  value: string;
  /** The kind of id, for example "message id". Names the copy button. */
  label: string;
  /** The number of characters shown at each end. Short ids are shown in full. */
  keep?: number;
  className?: string;
};

function truncateMiddle(value: string, keep: number): string {
  return value.length <= keep * 2 + 3 ? value : `${value.slice(0, keep)}…${value.slice(-keep)}`;
}

/** An id in monospace, truncated in the middle, with a button that copies the full id. */
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
