import Link from "next/link";
import { JsonView } from "@/components/data/json-view";
import { PageHeader } from "@/components/data/page-header";
import { Badge } from "@/components/ui/badge";
import { type DocumentedOperation, documentedOperations } from "@/lib/runtime/docs/simulator-operations";
import { FAULT_EFFECTS } from "@/lib/simulator/fault-effects";

export const metadata = { title: "Simulator" };

const link = "underline underline-offset-4";
const code = "font-mono text-xs";

export default function SimulatorPage() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Simulator"
        description="Phones without a network: a sandbox account makes as many as it needs, with its own API token, and has them write, react, vote, read, leave and fail."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <Basics />
      <section aria-labelledby="faults" className="flex flex-col gap-2">
        <h2 id="faults" className="font-semibold tracking-tight">
          What a phone can do to a message
        </h2>
        <p className="text-pretty leading-relaxed">
          Create the phone again with one of these as its <code className={code}>fault</code>, and messages to
          it end so. null makes it well.
        </p>
        <dl className="divide-y rounded-xl border bg-card shadow-xs">
          {FAULT_EFFECTS.map(({ name, effect }) => (
            <div key={name} className="flex flex-col gap-0.5 px-4 py-2.5">
              <dt className={code}>{name}</dt>
              <dd className="text-muted-foreground leading-relaxed">{effect}</dd>
            </div>
          ))}
        </dl>
      </section>
      {documentedOperations().map((operation) => (
        <Operation key={operation.id} operation={operation} />
      ))}
    </article>
  );
}

function Basics() {
  return (
    <section className="flex flex-col gap-2 text-pretty leading-relaxed">
      <p>
        Everything a phone does comes back as from a real network: by the API, in the dashboard and as
        webhooks. Only sandbox accounts have it; others get{" "}
        <Link href="/docs/error/codes/2xxx/2011" className={link}>
          2011
        </Link>
        . A + in a path may stand as it is. Writing to a number creates nothing: create the phone first.
      </p>
      <p>
        A test asks a phone what it got:{" "}
        <code className={code}>GET /simulator/phones/{"{handle}"}/messages</code> answers its messages as it
        shows them now, edited and reacted to, when they were delivered and read, and what lines did there
        besides: typing, names, members, cards.
      </p>
      <p>
        All of it as a document for your tools:{" "}
        <a href="/docs/openapi-simulator.json" className={link}>
          openapi-simulator.json
        </a>
        .
      </p>
    </section>
  );
}

function Operation({ operation }: { operation: DocumentedOperation }) {
  const { id, method, path, summary, body } = operation;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 border-t pt-6">
      <h2 id={id} className="font-semibold tracking-tight">
        {summary}
      </h2>
      <p className="flex flex-wrap items-center gap-2">
        <Badge variant="neutral">{method}</Badge>
        <code className={`${code} break-all`}>{path}</code>
      </p>
      {body !== null && (
        <JsonView value={body} label={`schema of the body of ${method} ${path}`} className="max-h-96" />
      )}
    </section>
  );
}
