import { AnswerText } from "@/components/webhooks/answer-text";
import { OutcomeBadge } from "@/components/webhooks/outcome-badge";
import { TimingSplit } from "@/components/webhooks/timing-split";
import type { TestResult } from "@/lib/webhooks/test-result";

/** What came of a test: the answer, how long it took, and what to do about it when it did not get through. */
export function TestOutcome({ result }: { result: TestResult }) {
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
