"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { StreamBadge } from "@/components/events/stream-badge";
import { FirstSteps } from "@/components/overview/first-steps";
import { LinesCard } from "@/components/overview/lines-card";
import type { StepContext } from "@/components/overview/steps";
import { TodayFigures } from "@/components/overview/today-figures";
import { PageBody } from "@/components/shell/page-body";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { useEventStream } from "@/lib/client/use-event-stream";
import { useThrottled } from "@/lib/client/use-throttled";
import type { Line } from "@/lib/lines/lines/line";
import type { Overview } from "@/lib/runtime/dashboard/get-overview";

const overviewKey = ["overview"];
/** Tokens and deliveries emit no event, so the page polls for them. */
const LOOK_MS = 3000;
const EVENTS_MS = 500;

type OverviewViewProps = { initial: Overview; start: StepContext; lines: Line[] };

/** The onboarding steps and today's figures of the account, updated live. */
export function OverviewView({ initial, start, lines }: OverviewViewProps) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery<Overview, ApiFailure>({
    queryKey: overviewKey,
    queryFn: ({ signal }) => apiFetch("/api/overview", { signal }),
    initialData: initial,
    refetchInterval: LOOK_MS,
  });
  const refresh = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: overviewKey }, { cancelRefetch: false }),
    EVENTS_MS,
  );
  const status = useEventStream({ onEvent: refresh, onReady: refresh });

  return (
    <PageBody>
      <PageHeader
        title="Overview"
        description="Send your first message, watch it arrive, and receive it as a webhook."
        status={<StreamBadge status={status} />}
      />
      {error && (
        <ErrorNote
          title="The figures may be out of date"
          code={error.code}
          traceId={error.traceId}
          onRetry={() => void refetch()}
        >
          {error.message}
        </ErrorNote>
      )}
      <TodayFigures today={data.today} />
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <FirstSteps done={data.steps} start={start} />
        <LinesCard baseUrl={start.baseUrl} lines={lines} />
      </div>
    </PageBody>
  );
}
