import { cache } from "react";
import { CopyButton } from "@/components/data/copy/copy-button";
import { DetailsPage } from "@/components/details/details-page";
import { ErrorAdvice } from "@/components/requests/error-advice";
import { RequestDetails } from "@/components/requests/request-details";
import { RequestSide } from "@/components/requests/request-side";
import { StatusCode } from "@/components/requests/status-code";
import { TraceEvents } from "@/components/requests/trace-events";
import { listEventViews } from "@/lib/events/search/list-event-views";
import { baseUrl } from "@/lib/platform/env";
import { errorDocUrl } from "@/lib/platform/errors/error-doc-url";
import { documentedError } from "@/lib/platform/errors/error-guidance";
import { curlOf } from "@/lib/request-log/search/curl-of";
import { getRequestView } from "@/lib/request-log/search/get-request-view";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

type RequestPageProps = { params: Promise<{ requestId: string }> };

const readRequest = cache(async (requestId: string) => {
  const { ctx } = await requireAccount("view_requests");
  return findOrNotFound(requestId, () => getRequestView(ctx, { params: { requestId } }));
});

function titleOf({ method, route, path }: Awaited<ReturnType<typeof readRequest>>): string {
  return `${method} ${route ?? path.split("?", 1)[0]}`;
}

export async function generateMetadata({ params }: RequestPageProps) {
  return { title: titleOf(await readRequest((await params).requestId)) };
}

export default async function RequestPage({ params }: RequestPageProps) {
  const { requestId } = await params;
  const { ctx } = await requireAccount("view_requests");
  const logged = await readRequest(requestId);
  const { events } = await listEventViews(ctx, { query: { q: logged.trace_id, types: [], limit: 20 } });
  const error = logged.error_code === null ? undefined : documentedError(logged.error_code);

  return (
    <DetailsPage
      title={titleOf(logged)}
      breadcrumbs={[{ label: "Requests", href: "/requests" }]}
      status={<StatusCode status={logged.status} errorCode={logged.error_code} />}
      actions={<CopyButton value={curlOf(logged, baseUrl())} label="as curl" showLabel variant="outline" />}
    >
      {error && <ErrorAdvice {...error} docUrl={errorDocUrl(error.code)} />}
      <RequestDetails logged={logged} />
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-2">
        <RequestSide title="Request" side={logged.request} hidden={logged.bodies_hidden} />
        <RequestSide
          title="Response"
          side={logged.response}
          hidden={logged.bodies_hidden}
          headers={{ "x-trace-id": logged.trace_id }}
        />
      </div>
      <TraceEvents events={events} traceId={logged.trace_id} />
    </DetailsPage>
  );
}
