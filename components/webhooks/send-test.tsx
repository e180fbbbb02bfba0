"use client";

import { useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useId, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { Button } from "@/components/ui/button";
import { Label } from "@/components/ui/label";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Spinner } from "@/components/ui/spinner";
import { PastEventSelect } from "@/components/webhooks/past-event-select";
import { TestOutcome } from "@/components/webhooks/test-outcome";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { TestResult } from "@/lib/webhooks/test-result";

type SendTestProps = { id: string; types: string[] };

/** Sends an example or a real event to the endpoint and shows the outcome. */
export function SendTest({ id, types }: SendTestProps) {
  const [type, setType] = useState(types[0] ?? "message.received");
  const [eventSeq, setEventSeq] = useState<number | null>(null);
  const selectId = useId();
  const test = useMutation<TestResult, ApiFailure>({
    mutationFn: () =>
      apiFetch(`/api/webhooks/${id}/test`, {
        method: "POST",
        body: eventSeq === null ? { type } : { event_seq: eventSeq },
      }),
  });

  function choose(chosen: string): void {
    setType(chosen);
    setEventSeq(null);
  }

  return (
    <section
      aria-label="Test"
      className="flex min-w-0 flex-col gap-3 rounded-xl border bg-card p-4 shadow-xs"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-2 font-medium text-sm">Send a test</h2>
        <Label htmlFor={selectId} className="sr-only">
          Test event type
        </Label>
        <Select value={type} onValueChange={choose}>
          <SelectTrigger id={selectId} size="sm" className="min-w-0 max-w-full">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {types.map((choice) => (
              <SelectItem key={choice} value={choice}>
                {choice}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        <PastEventSelect type={type} value={eventSeq} onChange={setEventSeq} />
        <Button size="sm" disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? <Spinner /> : <Send aria-hidden="true" />}
          Send test
        </Button>
      </div>
      <FailureNote title="The test was not sent" failure={test.error} />
      <div role="status" className="flex min-w-0 flex-col gap-2 empty:hidden">
        {test.data && <TestOutcome result={test.data} />}
      </div>
    </section>
  );
}
