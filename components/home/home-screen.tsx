"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { untilLoaded } from "@/components/data/until-loaded";
import { StreamBadge } from "@/components/events/stream-badge";
import { ActivityControls } from "@/components/home/activity-controls";
import { AttentionList } from "@/components/home/attention-list";
import { FigureCard } from "@/components/home/figure-card";
import { FIGURE_CHARTS } from "@/components/home/figure-charts";
import { FigureStrip } from "@/components/home/figure-strip";
import { IncompleteNote } from "@/components/home/incomplete-note";
import { LinesCard } from "@/components/home/lines-card";
import { LinesComparison } from "@/components/home/lines-comparison";
import type { StepContext } from "@/components/home/steps";
import { PageBody } from "@/components/shell/page-body";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useEventStream } from "@/lib/client/use-event-stream";
import { useThrottled } from "@/lib/client/use-throttled";
import type { Line } from "@/lib/lines/lines/line";
import type { Home } from "@/lib/runtime/dashboard/get-home";
import type { HomeLines } from "@/lib/runtime/dashboard/get-home-lines";

// Most accounts have done their first steps.
const FirstSteps = dynamic(() =>
  untilLoaded(async () => (await import("@/components/home/first-steps")).FirstSteps),
);

/** Tokens, deliveries and near misses emit no event, so the page polls for them. */
const POLL_MS = 5000;
const EVENT_THROTTLE_MS = 1000;

/** The comparison of lines reads more than the figures. */
const LINES_POLL_MS = 60_000;

type HomeScreenProps = {
  initial: Home;
  ownZone: string;
  start: StepContext;
  /** By label and number. */
  lines: Line[];
};

/**
 * The problems that need attention, the activity of the account or a line, a comparison of its lines, and the onboarding
 * steps until they are done, updated live. Steps that are done when the page opens are not shown.
 */
export function HomeScreen({ initial, ownZone, start, lines }: HomeScreenProps) {
  const queryClient = useQueryClient();
  const { range, zone, line_id: lineId } = initial;
  const { data, error, refetch } = useQuery<Home, ApiFailure>({
    queryKey: ["home", range, zone, lineId],
    queryFn: ({ signal }) =>
      apiFetch(`/api/home${queryString({ range, zone, line_id: lineId })}`, { signal }),
    initialData: initial,
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  const comparison = useQuery<HomeLines, ApiFailure>({
    queryKey: ["home-lines", range, zone],
    queryFn: ({ signal }) => apiFetch(`/api/home/lines${queryString({ range, zone })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LINES_POLL_MS,
    staleTime: LINES_POLL_MS,
  });
  const refresh = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: ["home"] }, { cancelRefetch: false }),
    EVENT_THROTTLE_MS,
  );
  const status = useEventStream({ onEvent: refresh, onReady: refresh });
  const [isStarting] = useState(() => Object.values(initial.steps).includes(false));
  const [isNew] = useState(!initial.steps.message_sent);
  const charts = FIGURE_CHARTS.filter(({ isAccountOnly }) => lineId === undefined || isAccountOnly !== true);
  const steps = isStarting && (
    <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <FirstSteps done={data.steps} start={start} />
      <LinesCard baseUrl={start.baseUrl} lines={lines} />
    </div>
  );

  return (
    <PageBody>
      <PageHeader
        title="Home"
        description={
          isStarting
            ? "Send your first message, watch it arrive, and receive it as a webhook."
            : "Problems that need attention, and the activity of this account."
        }
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
      {isNew ? steps : <AttentionList attention={data.attention} />}
      <section aria-labelledby="activity" className="flex min-w-0 flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="activity" className="font-semibold tracking-tight">
            Activity
          </h2>
          <ActivityControls range={range} zone={zone} line={lineId} ownZone={ownZone} lines={lines} />
        </div>
        {!data.is_complete && <IncompleteNote />}
        <FigureStrip charts={charts} home={data} />
        <div className="grid min-w-0 gap-4 md:grid-cols-2 xl:grid-cols-3">
          {charts.map((chart) => (
            <FigureCard key={chart.id} chart={chart} home={data} />
          ))}
        </div>
      </section>
      <LinesComparison query={comparison} chosen={lineId} />
      {isNew ? <AttentionList attention={data.attention} /> : steps}
    </PageBody>
  );
}
