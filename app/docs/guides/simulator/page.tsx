import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { OperationReference } from "@/components/docs/operation-reference";
import { documentedOperations } from "@/lib/runtime/docs/simulator-operations";
import { FAULT_EFFECTS } from "@/lib/simulator/fault-effects";
import { LINE_KINDS } from "@/lib/simulator/line-kinds";
import { MAGIC_HANDLES } from "@/lib/simulator/magic-handles";

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
      <Effects
        id="magic-handles"
        title="Magic handles"
        entries={MAGIC_HANDLES.map(({ handle, name, effect }) => ({ name: `${handle} (${name})`, effect }))}
      >
        Send to one of these numbers to get a known behavior. The phone does not have to be created, and does
        not have to write first. The numbers are reserved for fiction.
      </Effects>
      <Effects
        id="line-kinds"
        title="Kinds of lines"
        entries={Object.entries(LINE_KINDS).map(([name, { effect }]) => ({ name, effect }))}
      >
        Create a simulated line with <code className={code}>POST /simulator/lines</code> and one of these
        values as its <code className={code}>kind</code>.
      </Effects>
      <Effects id="faults" title="Simulate delivery faults" entries={FAULT_EFFECTS}>
        Create the phone again with one of these values as its <code className={code}>fault</code> to make
        messages to the phone fail this way. Set it to null to restore normal delivery.
      </Effects>
      <Testing />
      {documentedOperations().map((operation) => (
        <OperationReference key={operation.id} operation={operation} />
      ))}
    </article>
  );
}

interface EffectsProps {
  id: string;
  title: string;
  entries: readonly { name: string; effect: string }[];
  children: React.ReactNode;
}

function Effects({ id, title, entries, children }: EffectsProps) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="font-semibold tracking-tight">
        {title}
      </h2>
      <p className="text-pretty leading-relaxed">{children}</p>
      <dl className="divide-y rounded-xl border bg-card shadow-xs">
        {entries.map(({ name, effect }) => (
          <div key={name} className="flex flex-col gap-0.5 px-4 py-2.5">
            <dt className={code}>{name}</dt>
            <dd className="text-muted-foreground leading-relaxed">{effect}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Testing() {
  return (
    <section aria-labelledby="testing" className="flex flex-col gap-2 text-pretty leading-relaxed">
      <h2 id="testing" className="font-semibold tracking-tight">
        Write tests without sleeping
      </h2>
      <ul className="flex list-disc flex-col gap-1.5 pl-5">
        <li>
          <code className={code}>POST /simulator/accounts</code> creates an empty account with its own token
          and lines for each test. Trunkline deletes it after 24 hours.
        </li>
        <li>
          <code className={code}>GET /simulator/outbox?contains=code&timeout=5</code> waits until a phone
          receives a matching message. <code className={code}>GET /simulator/events</code> waits for an event.
        </li>
        <li>
          <code className={code}>PUT /simulator/faults</code> makes API calls, messages or webhook deliveries
          fail, wait, repeat or disappear.
        </li>
        <li>
          <code className={code}>POST /simulator/trigger/{"{event_type}"}</code> sends any event to your
          webhook endpoint, signed as usual.
        </li>
        <li>
          <code className={code}>POST /simulator/clock</code> with{" "}
          <code className={code}>{'{"advance": "24h", "run_until_idle": true}'}</code> runs a day of retries
          and expiries in seconds. The instance needs CLOCK_CONTROL.
        </li>
        <li>
          <code className={code}>PUT /simulator/limits</code> sets and resets the limits of the account.
        </li>
      </ul>
    </section>
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
        . You don't need to encode a + in a path. Sending to a number does not create a phone, except for
        magic handles. Create the phone first.
      </p>
      <p>
        To check what a phone received, call{" "}
        <code className={code}>GET /simulator/phones/{"{handle}"}/messages</code>. The response lists the
        phone's messages with their current edits and reactions, delivery and read times, and other activity
        of the lines: typing indicators, group names, participants and contact cards.
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
