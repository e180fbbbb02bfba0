"use client";

import { useQuery } from "@tanstack/react-query";
import { CopyableId } from "@/components/data/copyable-id";
import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { DeleteEndpoint } from "@/components/webhooks/delete-endpoint";
import { EditEndpoint } from "@/components/webhooks/edit-endpoint";
import { type DeliveryFilter, EndpointDeliveries } from "@/components/webhooks/endpoint-deliveries";
import type { EndpointChoices } from "@/components/webhooks/endpoint-form";
import { EndpointState } from "@/components/webhooks/endpoint-state";
import { PauseEndpoint } from "@/components/webhooks/pause-endpoint";
import { RotateSecret } from "@/components/webhooks/rotate-secret";
import { SecretOverlap } from "@/components/webhooks/secret-overlap";
import { SendTest } from "@/components/webhooks/send-test";
import { webhookKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { WebhookEndpoint } from "@/lib/webhooks/webhook-endpoint";

type EndpointViewProps = {
  initial: WebhookEndpoint;
  filter: DeliveryFilter;
  mayManage: boolean;
  choices: EndpointChoices;
};

/** One endpoint: its state, what can be done with it and what it was sent. */
export function EndpointView({ initial, filter, mayManage, choices }: EndpointViewProps) {
  const {
    data: endpoint,
    error,
    refetch,
  } = useQuery<WebhookEndpoint, ApiFailure>({
    queryKey: webhookKey(initial.id),
    queryFn: ({ signal }) => apiFetch(`/api/webhook-subscriptions/${initial.id}`, { signal }),
    initialData: initial,
    refetchInterval: 15_000,
  });

  return (
    <PageBody>
      <PageHeader
        title={new URL(endpoint.target_url).host}
        breadcrumbs={[{ label: "Webhooks", href: "/webhooks" }]}
        status={<EndpointState endpoint={endpoint} />}
        description={<EndpointFacts endpoint={endpoint} />}
        actions={
          mayManage && (
            <>
              <PauseEndpoint endpoint={endpoint} />
              <EditEndpoint endpoint={endpoint} choices={choices} />
              <RotateSecret id={endpoint.id} />
              <DeleteEndpoint id={endpoint.id} />
            </>
          )
        }
      />
      {error && (
        <ErrorNote
          title="This page may be out of date"
          code={error.code}
          traceId={error.traceId}
          onRetry={() => void refetch()}
        >
          {error.message}
        </ErrorNote>
      )}
      <SecretOverlap endpoint={endpoint} mayManage={mayManage} />
      {mayManage && <SendTest id={endpoint.id} types={endpoint.subscribed_events} />}
      <EndpointDeliveries id={endpoint.id} filter={filter} types={endpoint.subscribed_events} />
    </PageBody>
  );
}

function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, target_url, version, subscribed_events: events, phone_numbers: lines } = endpoint;
  return (
    <div className="flex min-w-0 flex-col gap-1 text-sm">
      <span className="wrap-anywhere font-mono text-xs leading-5">{target_url}</span>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
        <CopyableId value={id} label="subscription id" />
        <span className="tabular-nums">Version {version}</span>
        <span>{events.length === 1 ? "1 event" : `${events.length} events`}</span>
        <span className="tabular-nums">{lines === null ? "All lines" : lines.join(", ")}</span>
      </span>
    </div>
  );
}
