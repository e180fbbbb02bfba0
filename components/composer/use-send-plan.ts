"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { SendPlan } from "@/components/composer/describe-plan";
import type { Content } from "@/components/composer/to-content";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const FRESH_MS = 15_000;
/** Quiet hours begin, and end, while someone writes. */
const REREAD_MS = 60_000;
const SECOND_MS = 1000;

/**
 * Dry run of a message, repeated when its parts or options change. Typing alone doesn't change the service, so it
 * causes no request. It is also repeated each minute and when quiet hours end. `path`: the endpoint; `more`: request fields other than the message.
 */
export function useSendPlan(path: string, content: Content | null, more: Record<string, unknown> = {}) {
  return useQuery<SendPlan, ApiFailure>({
    queryKey: ["send-plan", path, more, content && kindOf(content)],
    queryFn: ({ signal }) =>
      apiFetch(`${path}?dry_run=true`, { method: "POST", body: { ...more, message: content }, signal }),
    enabled: content !== null,
    staleTime: FRESH_MS,
    refetchInterval: ({ state }) => untilReread(state.data),
    retry: false,
    placeholderData: keepPreviousData,
  });
}

function untilReread(plan: SendPlan | undefined): number {
  const left = plan?.quiet_hours === undefined ? 0 : Date.parse(plan.quiet_hours.until) - Date.now();
  return left > 0 ? Math.min(left + SECOND_MS, REREAD_MS) : REREAD_MS;
}

function kindOf({ parts, ...around }: Content): unknown {
  const kinds = parts.map((part) => {
    if (part.type === "media") return part.attachment_id;
    const { text_decorations = [], mentions = [], value } = part;
    const looks = text_decorations.map(({ style, animation }) => style ?? animation);
    return [looks, mentions.map(({ handle }) => handle), /https?:|www\./i.test(value)];
  });
  return { kinds, around };
}
