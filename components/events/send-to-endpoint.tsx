"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { TestOutcome } from "@/components/webhooks/deliveries/test-outcome";
import type { WatchedEndpoint } from "@/components/webhooks/health-sparkline";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { EventView } from "@/lib/events/store/event-view";
import type { TestResult } from "@/lib/webhooks/deliveries/test-result";

/** Sends an event to a chosen endpoint as a test and shows the response. */
export function SendToEndpoint({ event }: { event: EventView }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { data } = useQuery<{ endpoints: WatchedEndpoint[] }, ApiFailure>({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => apiFetch("/api/webhook-subscriptions", { signal }),
  });
  const endpoints = data?.endpoints ?? [];
  const id = chosen ?? endpoints[0]?.id;
  const test = useMutation<TestResult, ApiFailure>({
    mutationFn: () =>
      apiFetch(`/api/webhooks/${id}/test`, { method: "POST", body: { event_seq: event.seq } }),
  });
  if (id === undefined) return null;

  return (
    <section aria-label="Send as a test" className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium text-sm">Send as a test to an endpoint</h3>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <LazySelect
          label="Endpoint"
          size="sm"
          className="min-w-0 max-w-full"
          value={id}
          options={endpoints.map((endpoint) => ({ value: endpoint.id, label: endpoint.target_url }))}
          onChange={setChosen}
        />
        <Button size="sm" variant="outline" disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? <Spinner /> : <Send aria-hidden="true" />}
          Send test
        </Button>
      </div>
      <FailureNote title="The test could not be sent" failure={test.error} />
      <div role="status" className="flex min-w-0 flex-col gap-2 empty:hidden">
        {test.data && <TestOutcome result={test.data} />}
      </div>
    </section>
  );
}
