import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { OperationReference } from "@/components/docs/operation-reference";
import { documentedOperations } from "@/lib/runtime/docs/simulator-operations";
import { FAULT_EFFECTS } from "@/lib/simulator/fault-effects";

export const metadata = { title: "Simulator" };

const link = "underline underline-offset-4";
const code = "font-mono text-xs";

export default function SimulatorPage() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Simulator"
        description="Simulate phones without a network. A sandbox account creates as many phones as it needs with its own API token and makes them send, react, vote, read, leave and fail."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <Basics />
      <section aria-labelledby="faults" className="flex flex-col gap-2">
        <h2 id="faults" className="font-semibold tracking-tight">
          Simulate delivery faults
        </h2>
        <p className="text-pretty leading-relaxed">
          Create the phone again with one of these values as its <code className={code}>fault</code> to make
          messages to the phone fail this way. Set it to null to restore normal delivery.
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
        <OperationReference key={operation.id} operation={operation} />
      ))}
    </article>
  );
}

function Basics() {
  return (
    <section className="flex flex-col gap-2 text-pretty leading-relaxed">
      <p>
        Actions of a simulated phone appear in the API, in the dashboard and in webhooks, as they would with a
        real network. Only sandbox accounts can use the simulator. Other accounts get error{" "}
        <Link href="/docs/error/codes/2xxx/2011" className={link}>
          2011
        </Link>
        . You don't need to encode a + in a path. Sending to a number does not create a phone. Create the
        phone first.
      </p>
      <p>
        To check what a phone received, call{" "}
        <code className={code}>GET /simulator/phones/{"{handle}"}/messages</code>. The response lists the
        phone's messages with their current edits and reactions, delivery and read times, and other activity
        of the lines: typing indicators, group names, participants and contact cards.
      </p>
      <p>
        On the <strong>Phones</strong> page of a sandbox's dashboard, you use the same phones by hand. The
        page shows what each person sees, opens checkout links in the phone, and exports what you do there as
        a test file. A phone in airplane mode or with a dead battery (<code className={code}>connection</code>
        ) gets its messages in order once it is online again.
      </p>
      <p>
        OpenAPI document:{" "}
        <a href="/docs/openapi-simulator.json" className={link}>
          openapi-simulator.json
        </a>
        .
      </p>
    </section>
  );
}
