"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { PageTabs } from "@/components/data/page-tabs";
import { untilLoaded } from "@/components/data/until-loaded";
import { DetailsPage } from "@/components/details/details-page";
import { DeleteEndpoint } from "@/components/webhooks/delete-endpoint";
import { EditEndpointButton } from "@/components/webhooks/edit-endpoint-button";
import { EndpointDetails } from "@/components/webhooks/endpoint-details";
import type { EndpointChoices } from "@/components/webhooks/endpoint-form";
import { EndpointState } from "@/components/webhooks/endpoint-state";
import { PauseEndpoint } from "@/components/webhooks/pause-endpoint";
import { RateLimitButton } from "@/components/webhooks/rate-limit-button";
import { RotateSecretButton } from "@/components/webhooks/rotate-secret-button";
import { SecretOverlap } from "@/components/webhooks/secret-overlap";
import { webhookKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { WebhookSubscriptionView } from "@/lib/webhooks/endpoints/webhook-subscription-view";
import { endpointTitle } from "@/lib/webhooks/targets/display-target";

// Loaded only while chats are stopped.
const StoppedChats = dynamic(
  () => untilLoaded(async () => (await import("@/components/webhooks/stopped-chats")).StoppedChats),
  { loading: () => null },
);

export type EndpointFrameProps = {
  initial: WebhookSubscriptionView;
  mayManage: boolean;
  choices: EndpointChoices;
  current: "deliveries" | "statistics" | "replays";
  children: ReactNode;
};

/** The frame of an endpoint's pages: its status, actions, details and tabs. */
export function EndpointFrame({ initial, mayManage, choices, current, children }: EndpointFrameProps) {
  const {
    data: endpoint,
    error,
    refetch,
  } = useQuery<WebhookSubscriptionView, ApiFailure>({
    queryKey: webhookKey(initial.id),
    queryFn: ({ signal }) => apiFetch(`/api/webhook-subscriptions/${initial.id}`, { signal }),
    initialData: initial,
    refetchInterval: 15_000,
  });

  return (
    <DetailsPage
      title={endpointTitle(endpoint)}
      breadcrumbs={[{ label: "Webhooks", href: "/webhooks" }]}
      status={<EndpointState endpoint={endpoint} />}
      description={<EndpointDetails endpoint={endpoint} mayManage={mayManage} />}
      actions={
        mayManage && (
          <div className="flex max-w-[calc(100vw-2rem)] flex-wrap gap-2">
            <PauseEndpoint endpoint={endpoint} />
            <EditEndpointButton endpoint={endpoint} choices={choices} />
            <RateLimitButton endpoint={endpoint} />
            <RotateSecretButton id={endpoint.id} />
            <DeleteEndpoint id={endpoint.id} />
          </div>
        )
      }
      failure={error}
      onRetry={() => void refetch()}
      notice={
        <>
          {endpoint.stopped_chats > 0 && <StoppedChats endpoint={endpoint} mayManage={mayManage} />}
          <SecretOverlap endpoint={endpoint} mayManage={mayManage} />
        </>
      }
      tabs={<PageTabs label="Endpoint" tabs={tabsOf(endpoint.id)} current={current} />}
    >
      {children}
    </DetailsPage>
  );
}

function tabsOf(id: string) {
  return [
    { id: "deliveries", label: "Deliveries", href: `/webhooks/${id}` },
    { id: "statistics", label: "Statistics", href: `/webhooks/${id}/statistics` },
    { id: "replays", label: "Replays", href: `/webhooks/${id}/replays` },
  ];
}
