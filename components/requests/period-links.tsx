import Link from "next/link";
import { PERIODS, type Period } from "@/lib/client/filters";
import { cn } from "@/lib/cn";

/** Links that select the period in which errors are counted. */
export function PeriodLinks({ current }: { current: Period }) {
  return (
    <nav aria-label="Period" className="flex w-fit gap-0.5 rounded-lg bg-secondary p-0.75">
      {Object.entries(PERIODS).map(([period, { label, short }]) => (
        <Link
          key={period}
          href={`/requests/errors?since=${period}`}
          replace
          aria-current={period === current ? "true" : undefined}
          className={cn(
            "flex h-7 items-center rounded-md px-2.5 font-medium text-[0.8125rem] text-muted-foreground hover:text-foreground pointer-coarse:h-9",
            period === current && "bg-card text-foreground shadow-xs",
          )}
        >
          <span className="max-sm:sr-only">{label}</span>
          <span aria-hidden="true" className="sm:hidden">
            {short}
          </span>
        </Link>
      ))}
    </nav>
  );
}
