"use client";

import type { TimelineEntry } from "@/components/chats/timeline/timeline-entries";
import { describeTurns, type TurnRun, toTurnRuns } from "@/components/chats/timeline/turn-runs";
import { Tooltip, TooltipContent, TooltipTrigger, useTooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
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
 * moves when they appear. Their text is shown on hover, focus and tap. They are not announced: their messages were.
 */
export function TurnBracket({ entries, turns, index }: TurnBracketProps) {
  return runsOf(entries, turns)
    .filter(({ first }) => first === index)
    .map((run) => {
      const text = describeTurns(run.turns);
      return (
        <Tooltip key={run.lane}>
          <BracketMark run={run} text={text} />
          <TooltipContent side="right">{text}</TooltipContent>
        </Tooltip>
      );
    });
}

function BracketMark({ run: { first, last, lane }, text }: { run: TurnRun; text: string }) {
  const { show } = useTooltip();
  return (
    <TooltipTrigger asChild aria-describedby={undefined} onClick={() => show(0)}>
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
        className={cn(
          "absolute inset-y-0 w-1 rounded-s-sm border-muted-foreground/70 border-y border-s-2 [overflow-anchor:none]",
          // Fingers need more room: the margin of the page and of the messages.
          "before:absolute before:-inset-x-0.5 before:inset-y-0 pointer-coarse:before:-left-2.5",
          lane === 0 && "pointer-coarse:before:-right-3",
        )}
      />
    </TooltipTrigger>
  );
}
