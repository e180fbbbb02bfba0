"use client";

import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { CopyButton } from "@/components/data/copy/copy-button";
import { codeOf, type ExplorerCall } from "@/components/docs/explorer/explorer-call";
import { guideLink } from "@/components/docs/guide-parts";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { fetchSignedIn } from "@/lib/client/fetch-signed-in";
import type { EventSearchPage } from "@/lib/events/search/list-event-views";

type CallTraceProps = { call: ExplorerCall; onClose: () => void };

/** The last call of the explorer with its code, and the events and webhooks that followed from it. */
export function CallTrace({ call, onClose }: CallTraceProps) {
  const { method, path, status, durationMs, traceId } = call;
  return (
    <section
      aria-label="Last request"
      className="fixed inset-x-0 bottom-0 z-[100000] max-h-[45dvh] overflow-y-auto border-t bg-card shadow-lg"
    >
      <div className="mx-auto flex max-w-7xl flex-col gap-3 px-4 py-3 sm:px-6">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge variant={status < 400 ? "success" : "destructive"}>{status}</Badge>
          <code className="wrap-anywhere min-w-0 font-mono text-xs">
            {method} {path}
          </code>
          <span className="text-muted-foreground text-xs tabular-nums">{Math.round(durationMs)} ms</span>
          <div className="ml-auto flex items-center gap-1">
            <CopyButton value={codeOf(call, "curl")} label="as curl" showLabel />
            <CopyButton value={codeOf(call, "typescript")} label="as TypeScript" showLabel />
            <Button variant="ghost" size="icon-sm" aria-label="Close" onClick={onClose}>
              <X />
            </Button>
          </div>
        </div>
        {traceId !== null && <TraceEvents key={traceId} traceId={traceId} />}
      </div>
    </section>
  );
}

function TraceEvents({ traceId }: { traceId: string }) {
  const { events, isWaiting, failure } = useTrace(traceId);
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap gap-x-4 text-muted-foreground text-xs">
        <span>
          Trace <code className="font-mono">{traceId}</code>
        </span>
        <a href={`/requests?q=${traceId}`} className={guideLink}>
          Request log
        </a>
        <a href={`/events?q=${traceId}`} className={guideLink}>
          Events
        </a>
      </p>
      {failure !== null && <p role="alert">{failure}</p>}
      {failure === null && events.length === 0 && (
        <p role="status" className="text-muted-foreground text-xs">
          {isWaiting ? "Waiting for events…" : "This request has emitted no events."}
        </p>
      )}
      <ul className="flex flex-col gap-1">
        {events.map(({ seq, type, summary, deliveries }) => (
          <li key={seq} className="flex flex-wrap items-baseline gap-x-3 text-xs">
            <a href={`/docs/guides/webhooks/events/${type}`} className={`font-mono ${guideLink}`}>
              {type}
            </a>
            <span className="min-w-0 flex-1 truncate text-muted-foreground">{summary}</span>
            <span className="text-muted-foreground">{describeDeliveries(deliveries)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type TracedEvents = EventSearchPage["events"];

function describeDeliveries(deliveries: TracedEvents[number]["deliveries"]): string {
  const counts = Object.entries(deliveries).filter(([, count]) => count > 0);
  if (counts.length === 0) return "no webhook subscribed";
  return `webhooks: ${counts.map(([status, count]) => `${count} ${status}`).join(", ")}`;
}

const POLL_MS = 1000;
const POLLS = 12;

/** The events of a trace, oldest first, read every second until they stop coming. */
function useTrace(traceId: string): { events: TracedEvents; isWaiting: boolean; failure: string | null } {
  const [events, setEvents] = useState<TracedEvents>([]);
  const [polls, setPolls] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  const isWaiting = polls < POLLS && failure === null;

  useEffect(() => {
    if (!isWaiting) return;
    const stopped = new AbortController();
    const timer = setTimeout(
      () => {
        fetchSignedIn<EventSearchPage>(`/api/events?q=${traceId}&limit=50`, stopped.signal).then(
          (page) => {
            setEvents(page?.events.toReversed() ?? []);
            setPolls((count) => count + 1);
          },
          (error: unknown) => {
            if (!stopped.signal.aborted) setFailure(error instanceof Error ? error.message : String(error));
          },
        );
      },
      polls === 0 ? 0 : POLL_MS,
    );
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [traceId, polls, isWaiting]);

  return { events, isWaiting, failure };
}
