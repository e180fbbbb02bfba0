import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { JsonView } from "@/components/data/json-view";
import { PageHeader } from "@/components/data/page-header";
import { FieldList } from "@/components/docs/field-list";
import { Badge } from "@/components/ui/badge";
import { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import { eventFields } from "@/lib/docs/reference/event-fields";
import { EVENT_KINDS, EVENT_TYPES, type EventType, eventVersions } from "@/lib/events/catalog/event-types";
import { exampleEvent } from "@/lib/events/catalog/render-event";
import type { WebhookVersion } from "@/lib/events/catalog/webhook-version";

// The examples contain this instance's URLs, which are only known at run time.
export const dynamic = "force-dynamic";

type EventPageProps = { params: Promise<{ type: string }> };

export async function generateMetadata({ params }: EventPageProps): Promise<Metadata> {
  return { title: (await params).type };
}

export default async function WebhookEventPage({ params }: EventPageProps) {
  const type = await knownType(params);
  const { summary, neverSent } = EVENT_KINDS[type];
  return (
    <article className="flex max-w-3xl flex-col gap-7">
      <PageHeader
        title={type}
        status={neverSent && <Badge variant="neutral">Never sent</Badge>}
        description={summary}
        breadcrumbs={[
          { label: "Docs", href: "/docs" },
          { label: "Webhook events", href: "/docs/guides/webhooks/events" },
        ]}
      />
      {formatsOf(type).map((versions) => (
        <section key={versions.join()} className="flex flex-col gap-2">
          <h2 className="font-semibold tracking-tight">{titleOf(versions)}</h2>
          <FieldList title="Fields of data" fields={eventFields(type, versions[0])} />
          <JsonView value={exampleEvent(type, versions[0])} label={`example in ${titleOf(versions)}`} />
        </section>
      ))}
    </article>
  );
}

async function knownType(params: EventPageProps["params"]): Promise<EventType> {
  const { type } = await params;
  return EVENT_TYPES.find((known) => known === type) ?? notFound();
}

type Versions = [WebhookVersion, ...WebhookVersion[]];

/** The versions of an event type, newest first. Versions with the same format are grouped. */
function formatsOf(type: EventType): Versions[] {
  const { schemas } = EVENT_CATALOG[type].payload;
  const formats: Versions[] = [];
  for (const version of eventVersions(type).toReversed()) {
    const same = formats.find(([first]) => schemas[first] === schemas[version]);
    if (same === undefined) formats.push([version]);
    else same.push(version);
  }
  return formats;
}

function titleOf(versions: Versions): string {
  return `Version ${versions.join(" and ")}`;
}
