"use client";

import type { QueryClient } from "@tanstack/react-query";
import type { LoadedTimeline } from "@/components/chats/timeline/apply-message";
import type { TimelineEntry } from "@/components/chats/timeline/timeline-entries";
import { describeTurns, type TurnRun, toTurnRuns } from "@/components/chats/timeline/turn-runs";
import { Tooltip, TooltipContent, TooltipTrigger } from "@/components/ui/tooltip";
import { apiFetch } from "@/lib/client/api-fetch";
import type { ChatTurn } from "@/lib/messaging/turns/list-chat-turns";

/** The first row of a day's grid is its divider, and grid lines count from 1. */
const FIRST_LINE = 2;
const LANE_PX = 5;

// The entries of a day are drawn together: their runs are computed for the first one.
const runsOfDays = new WeakMap<readonly TimelineEntry[], { turns: readonly ChatTurn[]; runs: TurnRun[] }>();

function runsOf(entries: readonly TimelineEntry[], turns: readonly ChatTurn[]): TurnRun[] {
  const known = runsOfDays.get(entries);
  if (known?.turns === turns) return known.runs;
  const runs = toTurnRuns(entries, turns);
  runsOfDays.set(entries, { turns, runs });
  return runs;
}

type TurnBracketProps = {
  /** The entries of a day. */
  entries: readonly TimelineEntry[];
  turns: readonly ChatTurn[];
  /** The entry before which this stands. */
  index: number;
};

/**
 * The brackets of the turns that begin with an entry: beside the messages, in the rows of the day's grid, so that nothing
 * moves when they appear. Their text is shown on hover and focus. They are not announced: their messages were.
 */
export function TurnBracket({ entries, turns, index }: TurnBracketProps) {
  return runsOf(entries, turns)
    .filter(({ first }) => first === index)
    .map(({ first, last, lane, turns: same }) => {
      const text = describeTurns(same);
      return (
        <Tooltip key={lane}>
          <TooltipTrigger asChild aria-describedby={undefined}>
            <span
              role="img"
              aria-label={text}
              aria-live="off"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: the text must be available without a mouse
              tabIndex={0}
              style={{
                gridRow: `${first + FIRST_LINE} / ${last + FIRST_LINE + 1}`,
                left: -LANE_PX * (lane + 1) - 1,
              }}
              className="absolute inset-y-0 w-1 rounded-s-sm border-muted-foreground/70 border-y border-s-2 [overflow-anchor:none] before:absolute before:-inset-x-0.5 before:inset-y-0"
            />
          </TooltipTrigger>
          <TooltipContent side="right">{text}</TooltipContent>
        </Tooltip>
      );
    });
}

type NewTurn = { queryClient: QueryClient; queryKey: string[]; chatId: string; turnId: string };

/** Adds a turn that was just closed to the loaded timeline. A turn that can't be read comes with the next page. */
export async function addTurn({ queryClient, queryKey, chatId, turnId }: NewTurn): Promise<void> {
  const path = `/api/chats/${chatId}/turns?ids=${turnId}`;
  const { turns } = await apiFetch<{ turns: ChatTurn[] }>(path).catch(() => ({ turns: [] }));
  queryClient.setQueryData<LoadedTimeline>(queryKey, (loaded) => loaded && withTurns(loaded, turns));
}

function withTurns({ pages, ...loaded }: LoadedTimeline, turns: readonly ChatTurn[]): LoadedTimeline {
  const [first, ...others] = pages;
  if (first === undefined) return { ...loaded, pages };
  return { ...loaded, pages: [{ ...first, turns: [...(first.turns ?? []), ...turns] }, ...others] };
}
