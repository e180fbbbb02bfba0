import type { Progress } from "@/components/imports/use-import";

/** The progress of a running import. */
export function ImportProgress({ progress: { done, all } }: { progress: Progress }) {
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <div
        role="progressbar"
        aria-label="Import"
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={done}
        className="h-2 overflow-hidden rounded-full bg-secondary"
      >
        <span
          className="block h-full bg-brand transition-[width]"
          style={{ width: `${(done / Math.max(1, all)) * 100}%` }}
        />
      </div>
      <p className="text-muted-foreground tabular-nums">
        {done.toLocaleString("en-US")} of {all.toLocaleString("en-US")} rows stored
      </p>
    </div>
  );
}
