"use client";

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { CopyButton } from "@/components/data/copy/copy-button";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { ErrorNote } from "@/components/data/error-note";
import { JsonView } from "@/components/data/json-view";
import { Timestamp } from "@/components/data/time/timestamp";
import { DeliveryList } from "@/components/events/delivery-list";
import { SendToEndpoint } from "@/components/events/send-to-endpoint";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { isPending } from "@/components/webhooks/deliveries/delivery-status";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { WebhookEnvelope } from "@/lib/events/catalog/render-event";
import type { EventView } from "@/lib/events/store/event-view";
import type { EventDelivery } from "@/lib/webhooks/deliveries/list-event-deliveries";

interface ShownEvent {
  event: EventView;
  payloads: { version: string; payload: WebhookEnvelope }[];
  details: unknown;
  deliveries: EventDelivery[];
}

const WAITING_MS = 2000;

/** Loads an event by its `seq`, again while a delivery waits. */
export function useEvent(seq: number): UseQueryResult<ShownEvent, ApiFailure> {
  return useQuery<ShownEvent, ApiFailure>({
    queryKey: ["event", seq],
    queryFn: ({ signal }) => apiFetch(`/api/events/${seq}`, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => isPending(status)) ? WAITING_MS : false,
  });
}

type EventDetailsProps = {
  seq: number;
  /** The event as a list shows it; undefined if no list contains it. */
  listed: EventView | undefined;
  mayManage: boolean;
};

/** An event's payloads and its deliveries to endpoints. */
export function EventDetails({ seq, listed, mayManage }: EventDetailsProps) {
  const { data, error, refetch } = useEvent(seq);
  const event = listed ?? data?.event;
  return (
    <div className="flex min-w-0 flex-col gap-5">
      {event && <EventDetailList event={event} />}
      {error && (
        <ErrorNote
          title="The event could not be loaded"
          code={error.code}
          traceId={error.traceId}
          onRetry={() => void refetch()}
        >
          {error.message}
        </ErrorNote>
      )}
      {!data && !error && <LoadingDetails />}
      {data && (
        <>
          <CopyButton
            value={JSON.stringify(data, null, 2)}
            label="event as JSON"
            showLabel
            variant="outline"
            className="w-fit"
          />
          <Payloads payloads={data.payloads} />
          <DeliveryList deliveries={data.deliveries} />
          {mayManage && <SendToEndpoint event={data.event} />}
        </>
      )}
    </div>
  );
}

function EventDetailList({ event }: { event: EventView }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1.5 text-xs">
      <dt className="text-muted-foreground">Time</dt>
      <dd>
        <Timestamp value={event.created_at} format="moment" />
      </dd>
      <dt className="text-muted-foreground">Event</dt>
      <dd>
        <CopyableId value={event.id} label="event id" />
      </dd>
      <dt className="text-muted-foreground">Trace</dt>
      <dd className="flex items-center gap-1">
        <CopyableId value={event.trace_id} label="trace ID" />
        <Button asChild variant="link" size="xs">
          <Link href={`/events?q=${event.trace_id}`}>Full trace</Link>
        </Button>
      </dd>
      {event.chat_id && (
        <>
          <dt className="text-muted-foreground">Chat</dt>
          <dd className="flex items-center gap-1">
            <CopyableId value={event.chat_id} label="chat ID" />
            <Button asChild variant="link" size="xs">
              <Link href={`/chats/${event.chat_id}`}>
                Open <ExternalLink aria-hidden="true" />
              </Link>
            </Button>
          </dd>
        </>
      )}
    </dl>
  );
}

function Payloads({ payloads }: Pick<ShownEvent, "payloads">) {
  const [newest] = payloads;
  if (newest === undefined) return null;
  return (
    <section aria-labelledby="event-payload" className="flex min-w-0 flex-col gap-2">
      <Tabs defaultValue={newest.version} className="gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 id="event-payload" className="font-medium text-sm">
            Payload
          </h3>
          <TabsList aria-label="Payload version">
            {payloads.map(({ version }) => (
              <TabsTrigger key={version} value={version} className="text-xs tabular-nums">
                {version}
              </TabsTrigger>
            ))}
          </TabsList>
        </div>
        {payloads.map(({ version, payload }) => (
          <TabsContent key={version} value={version} tabIndex={-1}>
            <JsonView value={payload} label={`payload version ${version}`} className="max-h-96" />
          </TabsContent>
        ))}
      </Tabs>
    </section>
  );
}

function LoadingDetails() {
  return (
    <div role="status" aria-label="Loading event" className="flex flex-col gap-3">
      <Skeleton className="h-5 w-24" />
      <Skeleton className="h-72 w-full rounded-lg" />
    </div>
  );
}
