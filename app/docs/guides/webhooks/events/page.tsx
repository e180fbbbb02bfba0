import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { EVENT_KINDS, EVENT_TYPES, type EventType } from "@/lib/events/catalog/event-types";

export const metadata = { title: "Webhook events" };

export default function WebhookEventsPage() {
  const groups = Map.groupBy(EVENT_TYPES, (type) => EVENT_KINDS[type].group);
  return (
    <div className="flex max-w-3xl flex-col gap-8">
      <PageHeader
        title="Webhook events"
        description="Every event type you can subscribe to and when Trunkline sends it. Each page has an example of the payload."
        breadcrumbs={[
          { label: "Docs", href: "/docs" },
          { label: "Webhooks", href: "/docs/guides/webhooks" },
        ]}
      />
      {[...groups].map(([group, types]) => (
        <section key={group} aria-labelledby={idOf(group)} className="flex flex-col gap-2">
          <h2 id={idOf(group)} className="font-semibold tracking-tight">
            {group}
          </h2>
          <ul className="divide-y rounded-xl border bg-card shadow-xs">
            {types.map((type) => (
              <EventItem key={type} type={type} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function EventItem({ type }: { type: EventType }) {
  return (
    <li>
      <Link
        href={`/docs/guides/webhooks/events/${type}`}
        className="flex flex-col gap-0.5 px-4 py-2.5 hover:bg-muted/70"
      >
        <span className="break-all font-mono text-xs">{type}</span>
        <span className="text-muted-foreground leading-relaxed">{EVENT_KINDS[type].summary}</span>
      </Link>
    </li>
  );
}

function idOf(group: string): string {
  return group.toLowerCase().replaceAll(" ", "-");
}
