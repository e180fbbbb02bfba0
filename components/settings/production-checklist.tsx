"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CircleX, type LucideIcon, RefreshCw } from "lucide-react";
import Link from "next/link";
import { FailureNote } from "@/components/data/failure-note";
import { mayOpen } from "@/components/shell/navigation";
import { useMay } from "@/components/shell/rights";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { cn } from "@/lib/cn";
import type { CheckResult } from "@/lib/runtime/dashboard/get-production-checklist";

type Checklist = { checks: CheckResult[] };

const LOOKS: Record<CheckResult["state"], { icon: LucideIcon; label: string; className: string }> = {
  done: { icon: CircleCheck, label: "Done", className: "text-success" },
  todo: { icon: CircleX, label: "To do", className: "text-destructive-text" },
  optional: { icon: CircleDashed, label: "Optional", className: "text-muted-foreground" },
};

/** The checks that an account passes before it messages real recipients, with their current state. */
export function ProductionChecklist({ initial }: { initial: Checklist }) {
  const may = useMay();
  const query = useQuery<Checklist, ApiFailure>({
    queryKey: ["/api/production-checklist"],
    queryFn: ({ signal }) => apiFetch("/api/production-checklist", { signal }),
    initialData: initial,
    refetchOnWindowFocus: true,
  });
  const { checks } = query.data;
  const needed = checks.filter(({ state }) => state !== "optional");
  const done = needed.filter(({ state }) => state === "done");
  const isOffered = ({ href, state }: CheckResult) =>
    href !== null &&
    state !== "done" &&
    mayOpen(href, may) &&
    (href !== "/settings/accounts" || may("manage_accounts"));

  return (
    <section aria-label="Go to production" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm" role="status">
          <span className="font-medium tabular-nums">
            {done.length} of {needed.length}
          </span>{" "}
          checks passed.{" "}
          <span className="text-muted-foreground">
            {done.length === needed.length
              ? "This account is ready for real recipients."
              : "Complete the others before you message real recipients."}
          </span>
        </p>
        <Button variant="outline" size="sm" disabled={query.isFetching} onClick={() => void query.refetch()}>
          {query.isFetching ? <Spinner /> : <RefreshCw aria-hidden="true" />}
          Check again
        </Button>
      </div>
      <FailureNote title="The checks could not be repeated" failure={query.error} />
      <ul className="flex flex-col divide-y rounded-lg border bg-card">
        {checks.map((check) => (
          <CheckRow key={check.id} check={check} hasLink={isOffered(check)} />
        ))}
      </ul>
    </section>
  );
}

function CheckRow({ check, hasLink }: { check: CheckResult; hasLink: boolean }) {
  const { icon: Icon, label, className } = LOOKS[check.state];
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <Icon aria-hidden="true" className={cn("mt-0.5 size-4.5 shrink-0", className)} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">
          {check.title}
          <span className={cn("ml-2 font-normal text-xs", className)}>{label}</span>
        </p>
        <p className="wrap-anywhere text-muted-foreground text-sm">{check.detail}</p>
      </div>
      {hasLink && check.href !== null && (
        <Button variant="outline" size="sm" asChild>
          <Link href={check.href}>{check.action}</Link>
        </Button>
      )}
    </li>
  );
}
