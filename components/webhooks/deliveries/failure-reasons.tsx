import Link from "next/link";
import { Timestamp } from "@/components/data/time/timestamp";
import { OutcomeBadge } from "@/components/webhooks/deliveries/outcome-badge";
import type { EndpointStats } from "@/lib/webhooks/endpoints/get-endpoint-stats";

type FailureReasonsProps = { id: string; failures: EndpointStats["failures"] };

/** The reasons of failed attempts, most frequent first, each with a remedy. */
export function FailureReasons({ id, failures }: FailureReasonsProps) {
  if (failures.length === 0) return null;
  return (
    <section aria-labelledby="failure-reasons" className="flex min-w-0 flex-col gap-3">
      <h2 id="failure-reasons" className="font-medium text-sm">
        Why attempts failed
      </h2>
      <ul className="divide-y overflow-hidden rounded-xl border bg-card shadow-xs">
        {failures.map(({ reason, count, explanation, last_at }) => (
          <li key={reason} className="flex flex-wrap items-start gap-x-4 gap-y-1.5 px-4 py-3">
            <Reason reason={reason} />
            <p className="min-w-0 flex-1 basis-64 text-sm leading-relaxed">{explanation}</p>
            <p className="flex items-baseline gap-3 text-xs">
              <span className="font-medium tabular-nums">
                {count.toLocaleString("en")} {count === 1 ? "time" : "times"}
              </span>
              <span className="text-muted-foreground">
                last <Timestamp value={last_at} />
              </span>
              <Link
                href={`/webhooks/${id}?response=${reason}`}
                className="underline underline-offset-4"
                aria-label={`Deliveries with this failure: ${reason}`}
              >
                Deliveries
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Reason({ reason }: { reason: string }) {
  const code = /^\d{3}$/.test(reason) ? Number(reason) : null;
  return (
    <span className="w-32 shrink-0">
      <OutcomeBadge status_code={code} error={code === null ? reason : null} />
    </span>
  );
}
