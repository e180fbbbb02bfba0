"use client";

import { useQuery } from "@tanstack/react-query";
import { HINTS_PATH } from "@/components/opt-outs/hints-path";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { cn } from "@/lib/cn";

const REREAD_MS = 60_000;
const MAX_SHOWN = 99;

/** How many messages that may be opt-outs wait for a decision. Renders nothing for none. */
export function NearMissBadge({ collapsed }: { collapsed: boolean }) {
  const { data } = useQuery<{ hints: unknown[] }, ApiFailure>({
    queryKey: [HINTS_PATH, "count"],
    queryFn: ({ signal }) => apiFetch(`${HINTS_PATH}?limit=100`, { signal }),
    refetchInterval: REREAD_MS,
  });
  const count = data?.hints.length ?? 0;
  if (count === 0) return null;
  return (
    <span
      className={cn(
        "ml-auto rounded-full bg-warning/15 px-1.5 text-warning text-xs tabular-nums",
        collapsed && "absolute top-0 right-0",
      )}
    >
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
      <span className="sr-only"> possible opt-outs to decide</span>
    </span>
  );
}
