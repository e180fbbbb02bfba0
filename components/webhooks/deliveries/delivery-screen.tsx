"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { z } from "zod";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { JsonView } from "@/components/data/json-view";
import { Timestamp } from "@/components/data/time/timestamp";
import { DetailsPage } from "@/components/details/details-page";
import { AttemptCard } from "@/components/webhooks/deliveries/attempt-card";
import { isPending, ListedDeliveryStatus } from "@/components/webhooks/deliveries/delivery-status";
import { ReplayOne } from "@/components/webhooks/deliveries/replay-one";
import { ResumeChats } from "@/components/webhooks/resume-chats";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { GetDeliveryView } from "@/lib/webhooks/deliveries/get-delivery-view";
import { endpointTitle } from "@/lib/webhooks/targets/display-target";

/** A delivery with its payload and attempts. */
export type ShownDelivery = z.infer<(typeof GetDeliveryView)["returns"]>;

const WAITING_MS = 2000;

type DeliveryScreenProps = { initial: ShownDelivery; mayManage: boolean };

/** One delivery: its payload and headers, and every attempt. */
export function DeliveryScreen({ initial, mayManage }: DeliveryScreenProps) {
  const { id, subscription_id: endpointId } = initial.delivery;
  const { data, error, refetch } = useQuery<ShownDelivery, ApiFailure>({
    queryKey: ["delivery", id],
    queryFn: ({ signal }) => apiFetch(`/api/webhooks/deliveries/${id}`, { signal }),
    initialData: initial,
    refetchInterval: ({ state }) => (isPending(state.data?.delivery.status) ? WAITING_MS : false),
  });
  const headers = data.attempts.at(-1)?.request?.headers;

  return (
    <DetailsPage
      title={data.delivery.event.type}
      breadcrumbs={[
        { label: "Webhooks", href: "/webhooks" },
        ...(data.is_deleted ? [] : [{ label: endpointTitle(data), href: `/webhooks/${endpointId}` }]),
      ]}
      status={<ListedDeliveryStatus delivery={data.delivery} />}
      description={<DeliveryDetails shown={data} />}
      actions={mayManage && !data.is_deleted && <DeliveryActions delivery={data.delivery} />}
      failure={error}
      onRetry={() => void refetch()}
    >
      <section aria-label="Attempts" className="@container flex min-w-0 flex-col gap-3">
        <h2 className="font-medium text-sm">Attempts</h2>
        {data.attempts.length === 0 && <p className="text-muted-foreground text-sm">No attempts yet.</p>}
        <div className="grid min-w-0 items-start gap-4 @lg:grid-cols-2 @4xl:grid-cols-3">
          {data.attempts.map((attempt) => (
            <AttemptCard key={attempt.number} attempt={attempt} />
          ))}
        </div>
      </section>
      <div className="@container min-w-0">
        <div className="grid min-w-0 items-start gap-6 @4xl:grid-cols-2">
          <section aria-label="Payload" className="flex min-w-0 flex-col gap-2">
            <h2 className="font-medium text-sm">Payload</h2>
            <JsonView value={data.payload} label="payload" className="max-h-136" />
          </section>
          {headers && (
            <section aria-label="Request headers" className="flex min-w-0 flex-col gap-2">
              <h2 className="font-medium text-sm">Request headers</h2>
              <JsonView value={headers} label="request headers" className="max-h-136" />
            </section>
          )}
        </div>
      </div>
    </DetailsPage>
  );
}

function DeliveryActions({ delivery }: Pick<ShownDelivery, "delivery">) {
  const { id, subscription_id, event, status } = delivery;
  if (status !== "stopped" || event.chat_id === null) return <ReplayOne id={id} />;
  return <ResumeChats endpointId={subscription_id} chatId={event.chat_id} about="this delivery" />;
}

function DeliveryDetails({ shown: { delivery, version } }: { shown: ShownDelivery }) {
  const { event, created_at, next_attempt_at: next, waits_for, stopped_at } = delivery;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
      <span className="inline-flex items-center gap-1.5">
        Event <CopyableId value={event.id} label="event id" />
      </span>
      <span className="tabular-nums">Version {version}</span>
      <Timestamp value={created_at} format="moment" />
      {next !== null && (
        <span>
          Next attempt <Timestamp value={next} />
        </span>
      )}
      {waits_for === "earlier_event" && <span>Waits for an earlier event of its chat</span>}
      {stopped_at !== null && (
        <span>
          Stopped its chat <Timestamp value={stopped_at} />
        </span>
      )}
      <Link href={`/events?types=${event.type}`} className="underline underline-offset-4">
        Similar events
      </Link>
      {event.chat_id !== null && (
        <Link href={`/chats/${event.chat_id}`} className="underline underline-offset-4">
          Open chat
        </Link>
      )}
    </span>
  );
}
