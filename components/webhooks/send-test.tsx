"use client";

import { useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { TestOutcome } from "@/components/webhooks/deliveries/test-outcome";
import { PastEventSelect } from "@/components/webhooks/replays/past-event-select";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { TestResult } from "@/lib/webhooks/deliveries/test-result";

type SendTestProps = { id: string; types: string[] };

/** Sends an example or a real event to the endpoint and shows the outcome. */
export function SendTest({ id, types }: SendTestProps) {
  const [type, setType] = useState(types[0] ?? "message.received");
  const [eventSeq, setEventSeq] = useState<number | null>(null);
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
        <LazySelect
          label="Test event type"
          size="sm"
          className="min-w-0 max-w-full"
          value={type}
          options={types.map((choice) => ({ value: choice, label: choice }))}
          onChange={choose}
        />
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
