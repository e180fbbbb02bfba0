"use client";

import { useQuery } from "@tanstack/react-query";
import { Webhook } from "lucide-react";
import Link from "next/link";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { AddEndpoint } from "@/components/webhooks/add-endpoint";
import type { EndpointChoices } from "@/components/webhooks/endpoint-form";
import { EndpointTable } from "@/components/webhooks/endpoint-table";
import type { WatchedEndpoint } from "@/components/webhooks/health-sparkline";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type EndpointsViewProps = { initial: WatchedEndpoint[]; mayManage: boolean; choices: EndpointChoices };

/** The account's webhook endpoints and how they do. */
export function EndpointsView({ initial, mayManage, choices }: EndpointsViewProps) {
  const { data, error, refetch } = useQuery<{ endpoints: WatchedEndpoint[] }, ApiFailure>({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => apiFetch("/api/webhook-subscriptions", { signal }),
    initialData: { endpoints: initial },
    refetchInterval: 15_000,
  });

  const add = mayManage ? <AddEndpoint key="add" choices={choices} /> : undefined;
  return (
    <PageBody>
      <PageHeader
        title="Webhooks"
        description={
          <>
            Events are posted to your endpoints as they happen, signed, and tried again when an endpoint
            fails.{" "}
            <Link href="/docs/guides/webhooks" className="underline underline-offset-4">
              How to receive them
            </Link>
          </>
        }
        actions={add}
      />
      {error && (
        <ErrorNote
          title="The list may be out of date"
          code={error.code}
          traceId={error.traceId}
          onRetry={() => void refetch()}
        >
          {error.message}
        </ErrorNote>
      )}
      <EndpointTable
        endpoints={data.endpoints}
        empty={
          <EmptyState
            icon={Webhook}
            title="No endpoint yet"
            description={
              mayManage
                ? "Choose “Add endpoint”, give the URL of your server and the events it should hear of, and keep the signing secret that is shown."
                : "An admin or a developer of the partner can add one."
            }
          />
        }
      />
    </PageBody>
  );
}
