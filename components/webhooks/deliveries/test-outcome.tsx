import { OutcomeBadge } from "@/components/webhooks/deliveries/outcome-badge";
import { ResponseText } from "@/components/webhooks/deliveries/response-text";
import { TimingSplit } from "@/components/webhooks/deliveries/timing-split";
import type { TestResult } from "@/lib/webhooks/deliveries/test-result";

/** The outcome of a test: the response, its latency and, after a failure, a remedy. */
export function TestOutcome({ result }: { result: TestResult }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <OutcomeBadge status_code={result.status_code} error={result.error} />
        <TimingSplit latencyMs={result.latency_ms} timing={result.timing} />
      </div>
      {result.explanation && <p className="text-sm leading-relaxed">{result.explanation}</p>}
      <ResponseText text={result.response_body} />
    </>
  );
}
