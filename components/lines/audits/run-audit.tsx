"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { FailureNote } from "@/components/data/failure-note";
import { useNow } from "@/components/data/time/clock";
import { lineKey } from "@/components/lines/lines-key";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

/** Runs an audit, shows its progress, and counts down to the next allowed one. */
export function RunAudit({ line }: { line: LineDetails }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const run = useMutation<unknown, ApiFailure>({
    mutationFn: () =>
      apiFetch(`/api/phone-numbers/${encodeURIComponent(line.phone_number)}/reputation-audits`, {
        method: "POST",
      }),
    onSuccess: () => router.replace(`/lines/${line.id}/audits`, { scroll: false }),
    // A refused request also changes when the next audit is allowed.
    onSettled: () => queryClient.invalidateQueries({ queryKey: lineKey(line.id) }),
  });
  const isRunning = run.isPending || line.audits.some(({ status }) => status === "pending");
  const wait = useTimeLeft(line.audit_free_at);

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={isRunning || wait !== null} onClick={() => run.mutate()}>
          {isRunning ? <Spinner /> : <ShieldCheck aria-hidden="true" />}
          {isRunning ? "Auditing…" : "Run audit"}
        </Button>
        <p role="status" className="text-muted-foreground text-sm tabular-nums">
          {isRunning && "The report appears here when the audit is complete."}
          {!isRunning && wait !== null && `You can run the next audit in ${wait}.`}
        </p>
      </div>
      <FailureNote title="The audit could not be started" failure={run.error} />
    </div>
  );
}

/** The time left as text; null once it has passed. */
function useTimeLeft(until: string | null): string | null {
  const { nowMs } = useNow();
  if (until === null || nowMs === null) return null;
  const seconds = Math.ceil((Date.parse(until) - nowMs) / 1000);
  if (seconds <= 0) return null;
  return seconds < 60 ? `${seconds} sec` : `${Math.ceil(seconds / 60)} min`;
}
