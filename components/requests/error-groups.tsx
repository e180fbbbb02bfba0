import { ArrowRight, CircleCheck } from "lucide-react";
import Link from "next/link";
import { EmptyState } from "@/components/data/empty-state";
import { Timestamp } from "@/components/data/time/timestamp";
import { StatusCode } from "@/components/requests/status-code";
import { Button } from "@/components/ui/button";
import { PERIODS, type Period } from "@/lib/client/filters";
import type { RequestError } from "@/lib/request-log/search/list-request-errors";

type ErrorGroupsProps = { errors: RequestError[]; period: Period };

/** The errors of a period by code, most frequent first, each with its fix. */
export function ErrorGroups({ errors, period }: ErrorGroupsProps) {
  if (errors.length === 0) {
    return (
      <div className="rounded-xl border bg-card shadow-xs">
        <EmptyState
          icon={CircleCheck}
          title="No errors"
          description={`Failed API requests appear here by error code. No request failed in the ${PERIODS[period].label.toLowerCase()}.`}
        />
      </div>
    );
  }
  return (
    <ul aria-label="Errors by code" className="flex flex-col gap-3">
      {errors.map((error) => (
        <li key={error.code}>
          <ErrorGroup error={error} period={period} />
        </li>
      ))}
    </ul>
  );
}

function ErrorGroup({ error, period }: { error: RequestError; period: Period }) {
  const { code, count, last } = error;
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-xl border bg-card px-4 py-4 shadow-xs sm:px-5">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="flex min-w-0 flex-col gap-1.5">
          <StatusCode status={last.status} errorCode={code} />
          <h2 className="font-medium">{error.title}</h2>
        </div>
        <p className="flex items-baseline gap-1.5 tabular-nums">
          <span className="font-semibold text-xl tracking-tight">{count.toLocaleString("en")}</span>
          <span className="text-muted-foreground text-xs">{count === 1 ? "time" : "times"}</span>
        </p>
      </header>
      <div className="flex max-w-3xl flex-col gap-1.5 text-pretty leading-relaxed">
        <p className="text-muted-foreground">{error.means}</p>
        <p>{error.fix}</p>
      </div>
      <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t pt-3 text-xs">
        <p className="min-w-0 text-muted-foreground">
          Last occurred <Timestamp value={last.created_at} />:{" "}
          <Link
            href={`/requests/${last.id}`}
            className="wrap-anywhere font-mono text-foreground underline underline-offset-4"
          >
            {last.method} {last.route ?? last.path}
          </Link>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button asChild variant="ghost" size="xs">
            <a href={error.doc_url} target="_blank" rel="noreferrer">
              Documentation for {code}
            </a>
          </Button>
          <Button asChild variant="outline" size="xs">
            <Link href={`/requests?code=${code}&since=${period}`}>
              Show requests <ArrowRight aria-hidden="true" />
            </Link>
          </Button>
        </div>
      </footer>
    </article>
  );
}
