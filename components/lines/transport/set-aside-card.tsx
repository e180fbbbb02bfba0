"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { Timestamp } from "@/components/data/time/timestamp";
import { toast } from "@/components/data/toast";
import { linesKey } from "@/components/lines/lines-key";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { apiFetch } from "@/lib/client/api-fetch";
import type { SetAsideEvent } from "@/lib/runtime/intake/list-set-aside";

type SetAsideCardProps = { lineId: string };

/** The inbound events of a line that could not be stored or that its transport refused. Hidden while there are none. */
export function SetAsideCard({ lineId }: SetAsideCardProps) {
  const { data } = useQuery({
    queryKey: [...linesKey, lineId, "set-aside"],
    queryFn: () => apiFetch<{ events: SetAsideEvent[] }>(`/api/lines/${lineId}/set-aside`),
  });
  if (data === undefined || data.events.length === 0) return null;
  return (
    <Card role="region" aria-label="Events that were not stored">
      <CardHeader>
        <CardTitle>Events that were not stored</CardTitle>
        <CardDescription>
          Trunkline kept what it could not store, and counts what the transport refused. Later messages are
          not affected.
        </CardDescription>
      </CardHeader>
      <CardContent>
        <ul className="flex min-w-0 flex-col divide-y">
          {data.events.map((event) => (
            <SetAsideRow key={event.id} lineId={lineId} event={event} />
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}

function SetAsideRow({ lineId, event }: SetAsideCardProps & { event: SetAsideEvent }) {
  const { id, type, reason, times, last_at, can_retry } = event;
  const name = type.replaceAll("_", " ");
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 py-2 text-sm">
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="break-words">
          <span className="font-medium">{name}</span>: {reason}
        </span>
        <span className="text-muted-foreground text-xs tabular-nums">
          <Timestamp value={last_at} />
          {times > 1 && `, ${times} times`}
        </span>
      </span>
      {can_retry && <RetryButton lineId={lineId} eventId={id} name={name} />}
    </li>
  );
}

type RetryButtonProps = { lineId: string; eventId: string; name: string };

function RetryButton({ lineId, eventId, name }: RetryButtonProps) {
  const queryClient = useQueryClient();
  const retry = useMutation({
    mutationFn: () =>
      apiFetch<{ stored: boolean; reason: string | null }>(`/api/lines/${lineId}/set-aside/${eventId}`, {
        method: "POST",
      }),
    onSuccess: ({ stored, reason }) => {
      if (stored) toast.success("The event is stored");
      else toast.error(`The event still can't be stored: ${reason ?? "unknown reason"}`);
    },
    onError: (error) => toast.error(error.message),
    onSettled: () => queryClient.invalidateQueries({ queryKey: linesKey }),
  });
  return (
    <Button
      variant="outline"
      size="sm"
      disabled={retry.isPending}
      aria-label={`Try again: ${name}`}
      onClick={() => retry.mutate()}
    >
      <RotateCw aria-hidden="true" />
      Try again
    </Button>
  );
}
