"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRightLeft, Bell, CircleX, Radio, Webhook } from "lucide-react";
import Link from "next/link";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { Fact, FactList } from "@/components/data/fact-list";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { DetailsPage } from "@/components/details/details-page";
import { describeStep } from "@/components/traces/describe-step";
import { formatElapsed } from "@/components/traces/format-elapsed";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { cn } from "@/lib/cn";
import type { Trace, TraceStep } from "@/lib/runtime/dashboard/get-trace";

const REREAD_MS = 5000;

/** The life of a message or a request: every step in the order of time, each linked to its record. */
export function TraceScreen({ id, initial }: { id: string; initial: Trace }) {
  const { data, error, refetch } = useQuery<Trace, ApiFailure>({
    queryKey: ["trace", id],
    queryFn: ({ signal }) => apiFetch(`/api/traces/${id}`, { signal }),
    initialData: initial,
    refetchInterval: REREAD_MS,
  });
  const { message, steps } = data;
  const startedAt = Date.parse(steps[0]?.at ?? "");
  return (
    <DetailsPage
      title={message === null ? "Trace" : "Message trace"}
      status={message && <StatusBadge kind="delivery" value={message.delivery_status} />}
      description="Every step in the order of time, with the time since the first one."
      actions={
        message && (
          <Button asChild variant="outline" size="sm">
            <Link href={`/chats/${message.chat_id}`}>Open chat</Link>
          </Button>
        )
      }
      failure={error}
      onRetry={() => void refetch()}
    >
      <FactList>
        <Fact name="Trace">
          <CopyableId value={data.trace_id} label="trace ID" />
        </Fact>
        {message && (
          <Fact name="Message">
            <CopyableId value={message.id} label="message ID" />
          </Fact>
        )}
        {message?.due_at && (
          <Fact name="Next attempt">
            <Timestamp value={message.due_at} />
          </Fact>
        )}
      </FactList>
      <ol aria-label="Steps" className="flex flex-col divide-y rounded-xl border bg-card shadow-xs">
        {steps.map((step) => (
          <li key={keyOf(step)}>
            <Step step={step} sinceMs={Date.parse(step.at) - startedAt} />
          </li>
        ))}
      </ol>
      {data.is_truncated && (
        <p className="text-muted-foreground">
          This trace has more steps than are shown. Search the event log or the request log for the trace ID.
        </p>
      )}
    </DetailsPage>
  );
}

const ICONS = { request: ArrowRightLeft, event: Bell, transport: Radio, webhook: Webhook };

function Step({ step, sinceMs }: { step: TraceStep; sinceMs: number }) {
  const { title, detail, href, isFailure } = describeStep(step);
  const Icon = isFailure ? CircleX : ICONS[step.type];
  return (
    <div className="flex items-start gap-3 px-4 py-3 max-sm:flex-wrap">
      <Icon
        className={cn(
          "mt-0.5 size-4 shrink-0",
          isFailure ? "text-destructive-text" : "text-muted-foreground",
        )}
        aria-hidden="true"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5 max-sm:basis-4/5">
        <p className={cn("wrap-anywhere font-medium", isFailure && "text-destructive-text")}>
          {href === null ? (
            title
          ) : (
            <Link href={href} className="hover:underline">
              {title}
            </Link>
          )}
        </p>
        {detail && <p className="wrap-anywhere text-[0.8125rem] text-muted-foreground">{detail}</p>}
      </div>
      <div className="flex shrink-0 flex-col items-end text-muted-foreground text-xs tabular-nums max-sm:w-full max-sm:flex-row max-sm:gap-2 max-sm:pl-7">
        <Timestamp value={step.at} format="moment" />
        <span>+{formatElapsed(sinceMs)}</span>
      </div>
    </div>
  );
}

function keyOf(step: TraceStep): string {
  switch (step.type) {
    case "request":
      return step.request_id;
    case "event":
      return step.event_id;
    case "transport":
      return "transport";
    case "webhook":
      return `${step.delivery_id} ${step.number}`;
  }
}
