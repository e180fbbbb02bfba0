import { Timestamp } from "@/components/data/time/timestamp";
import { OutcomeBadge } from "@/components/webhooks/deliveries/outcome-badge";
import { ResponseText } from "@/components/webhooks/deliveries/response-text";
import { TimingSplit } from "@/components/webhooks/deliveries/timing-split";
import type { RecordedAttempt } from "@/lib/webhooks/deliveries/recorded-attempt";

/** One delivery attempt: its outcome, its timing and the endpoint's response. */
export function AttemptCard({ attempt }: { attempt: RecordedAttempt }) {
  return (
    <article
      aria-label={`Attempt ${attempt.number}`}
      className="flex min-w-0 flex-col gap-2.5 rounded-xl border bg-card p-3.5 shadow-xs"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium text-sm">Attempt {attempt.number}</h3>
        <OutcomeBadge status_code={attempt.status_code} error={attempt.error} />
      </div>
      <Timestamp value={attempt.started_at} format="moment" className="text-muted-foreground text-xs" />
      <TimingSplit latencyMs={attempt.latency_ms} timing={attempt.timing} />
      {attempt.explanation && <p className="text-sm leading-relaxed">{attempt.explanation}</p>}
      <ResponseText text={attempt.response_body} />
    </article>
  );
}
