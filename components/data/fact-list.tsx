import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

type FactListProps = { children: ReactNode; className?: string };

/** A list of properties, each with a name and a value. */
export function FactList({ children, className }: FactListProps) {
  return (
    <dl
      className={cn(
        "grid min-w-0 gap-x-8 gap-y-1.5 rounded-xl border bg-card px-4 py-3.5 shadow-xs sm:grid-cols-2",
        className,
      )}
    >
      {children}
    </dl>
  );
}

type FactProps = { name: string; children: ReactNode; className?: string };

export function Fact({ name, children, className }: FactProps) {
  return (
    <div className={cn("flex min-h-6 min-w-0 items-start gap-3", className)}>
      <dt className="w-24 shrink-0 text-muted-foreground text-xs leading-6">{name}</dt>
      <dd className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-1.5 text-[0.8125rem]">{children}</dd>
    </div>
  );
}
