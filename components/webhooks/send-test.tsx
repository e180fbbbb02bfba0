"use client";

import { useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useId, useState } from "react";
import { ErrorNote } from "@/components/data/error-note";
import { Button } from "@/components/ui/button";
import { Label } from "@/components/ui/label";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Spinner } from "@/components/ui/spinner";
import { AnswerText } from "@/components/webhooks/answer-text";
import { OutcomeBadge } from "@/components/webhooks/outcome-badge";
import { TimingSplit } from "@/components/webhooks/timing-split";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { TestResult } from "@/lib/webhooks/test-result";

type SendTestProps = { id: string; types: string[] };

/** Posts an example event to the endpoint and shows at once what came of it. */
export function SendTest({ id, types }: SendTestProps) {
  const [type, setType] = useState(types[0] ?? "message.received");
  const selectId = useId();
  const test = useMutation<TestResult, ApiFailure>({
    mutationFn: () => apiFetch(`/api/webhooks/${id}/test`, { method: "POST", body: { type } }),
  });

  return (
    <section
      aria-label="Test"
      className="flex min-w-0 flex-col gap-3 rounded-xl border bg-card p-4 shadow-xs"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-2 font-medium text-sm">Send a test</h2>
        <Label htmlFor={selectId} className="sr-only">
          Type of the test event
        </Label>
        <Select value={type} onValueChange={setType}>
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
        <Button size="sm" disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? <Spinner /> : <Send aria-hidden="true" />}
          Send test
        </Button>
      </div>
      {test.error && (
        <ErrorNote title="No test was sent" code={test.error.code} traceId={test.error.traceId}>
          {test.error.message}
        </ErrorNote>
      )}
      <div role="status" className="flex min-w-0 flex-col gap-2 empty:hidden">
        {test.data && <Result result={test.data} />}
      </div>
    </section>
  );
}

function Result({ result }: { result: TestResult }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <OutcomeBadge status_code={result.status_code} error={result.error} />
        <TimingSplit latencyMs={result.latency_ms} timing={result.timing} />
      </div>
      {result.explanation && <p className="text-sm leading-relaxed">{result.explanation}</p>}
      <AnswerText text={result.response_body} />
    </>
  );
}
