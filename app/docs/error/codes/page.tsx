import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { type DocumentedError, documentedErrors } from "@/lib/platform/errors/error-guidance";

export const metadata = { title: "Error codes" };

const ranges = [
  { digit: 1, title: "1xxx: the request", rule: "Change the request before you retry." },
  {
    digit: 2,
    title: "2xxx: resources and access",
    rule: "Retrying the same request rarely helps. Check access and the state of the resource.",
  },
  { digit: 3, title: "3xxx: the service", rule: "Retry with exponential backoff." },
  { digit: 4, title: "4xxx: delivery", rule: "Whether to retry depends on the code." },
  { digit: 5, title: "5xxx: files", rule: "Whether to retry depends on the code." },
];

export default function ErrorCodesPage() {
  const errors = documentedErrors();
  return (
    <div className="flex max-w-3xl flex-col gap-8">
      <PageHeader
        title="Error codes"
        description={
          <>
            Every error response has the same format. <code className="font-mono text-xs">error.code</code>{" "}
            identifies the error, and <code className="font-mono text-xs">trace_id</code> identifies the
            request in the log.{" "}
            <Link href="/docs/guides/errors" className="underline underline-offset-4">
              Errors and retries
            </Link>
          </>
        }
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      {ranges.map(({ digit, title, rule }) => (
        <section key={digit} aria-labelledby={`range-${digit}`} className="flex flex-col gap-2">
          <h2 id={`range-${digit}`} className="font-semibold tracking-tight">
            {title}
          </h2>
          <p className="text-muted-foreground">{rule}</p>
          <ul className="divide-y rounded-xl border bg-card shadow-xs">
            {errors
              .filter(({ code }) => Math.floor(code / 1000) === digit)
              .map((error) => (
                <ErrorItem key={error.code} error={error} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function ErrorItem({ error }: { error: DocumentedError }) {
  return (
    <li>
      <Link
        href={`/docs/error/codes/${String(error.code).slice(0, 1)}xxx/${error.code}`}
        className="flex items-baseline gap-4 px-4 py-2.5 hover:bg-muted/70"
      >
        <span className="font-mono text-xs">{error.code}</span>
        <span className="min-w-0 flex-1">{error.title}</span>
        <span className="text-muted-foreground text-xs tabular-nums">HTTP {error.statuses.join(", ")}</span>
      </Link>
    </li>
  );
}
