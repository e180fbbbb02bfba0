"use client";

import { ArrowDown } from "lucide-react";
import dynamic from "next/dynamic";
import { Fragment, type ReactNode, type UIEvent, useMemo } from "react";
import { MessageBubble } from "@/components/chats/bubble/message-bubble";
import { messageElementId } from "@/components/chats/bubble/message-element-id";
import { TimelineDay, useTimelineDays } from "@/components/chats/timeline/timeline-day";
import { type TimelineEntry, toEntries } from "@/components/chats/timeline/timeline-entries";
import { FROM_END_CLASSES, fromStart, useStickToEnd } from "@/components/chats/timeline/use-stick-to-end";
import type { useTimeline } from "@/components/chats/timeline/use-timeline";
import { LazyErrorNote } from "@/components/data/lazy-error-note";
import { Timestamp } from "@/components/data/time/timestamp";
import { untilLoaded } from "@/components/data/until-loaded";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { MessageView } from "@/lib/messaging/messages/message-view";
import type { ChatNote } from "@/lib/messaging/team/chat-note";

// Few chats need these. They are loaded with the page only where they are shown.
const TimelineEnd = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/timeline/timeline-end")).TimelineEnd),
  { loading: () => null },
);

const LocationCard = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/location-card")).LocationCard),
  { loading: () => null },
);

const InternalNote = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/timeline/internal-note")).InternalNote),
  {
    // The height of a note of one line. Each entry has a row of its day's grid.
    loading: () => <div className="h-14.5" />,
  },
);

const TurnBracket = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/timeline/turn-bracket")).TurnBracket),
  { loading: () => null },
);

const LOAD_OLDER_AT_PX = 160;

type TimelineProps = {
  timeline: ReturnType<typeof useTimeline>;
  /** Events other than messages, oldest first. */
  notes: ChatNote[];
  isGroup: boolean;
  /** The message that the user just sent. */
  sentId?: string;
  /** The message that the timeline was opened at, if not the newest. It is marked. */
  foundId?: string | undefined;
  chatId: string;
  /** Shown below the newest message. */
  end: ReactNode;
};

/** The messages of a chat, oldest first, each with its delivery status. */
export function Timeline({ timeline, notes, isGroup, sentId, foundId, chatId, end }: TimelineProps) {
  const { messages, hasNextPage, hasPreviousPage } = timeline;
  const entries = useMemo(
    () => toEntries(messages, notes, hasNextPage, hasPreviousPage),
    [messages, notes, hasNextPage, hasPreviousPage],
  );
  const startId = foundId && messageElementId(foundId);
  const { box, onScroll, unseen, toEnd } = useStickToEnd({ newestId: entries.at(-1)?.id, sentId, startId });

  function loadOlder(): void {
    if (timeline.hasNextPage && !timeline.isFetchingNextPage) void timeline.fetchNextPage();
  }

  function scrolled(event: UIEvent<HTMLDivElement>): void {
    onScroll();
    if (fromStart(event.currentTarget) < LOAD_OLDER_AT_PX) loadOlder();
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={box}
        role="log"
        // Only new messages are announced, not changes of times and statuses.
        aria-relevant="additions"
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be focusable by keyboard
        tabIndex={0}
        onScroll={scrolled}
        className={cn("relative min-h-0 flex-1 focus-visible:-outline-offset-2", FROM_END_CLASSES)}
      >
        <TimelineBody
          timeline={timeline}
          entries={entries}
          isGroup={isGroup}
          foundId={foundId}
          chatId={chatId}
          end={end}
          onLoadOlder={loadOlder}
        />
      </div>
      {unseen && (
        <Button
          size="sm"
          onClick={toEnd}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-lg"
        >
          <ArrowDown />
          New messages
        </Button>
      )}
    </div>
  );
}

type TimelineBodyProps = Omit<TimelineProps, "sentId" | "notes"> & {
  entries: TimelineEntry[];
  onLoadOlder: () => void;
};

function TimelineBody({ timeline, entries, isGroup, foundId, chatId, end, onLoadOlder }: TimelineBodyProps) {
  const days = useTimelineDays(entries);
  const loaded = useMemo(() => byId(timeline.messages), [timeline.messages]);
  const replaced = useMemo(() => replacedIds(timeline.messages), [timeline.messages]);
  return (
    <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col justify-end px-4 py-4 sm:px-6">
      {timeline.hasNextPage && (
        <TimelineEnd kind="older" isLoading={timeline.isFetchingNextPage} onLoad={onLoadOlder} />
      )}
      {timeline.error && (
        <LazyErrorNote
          title="Some messages could not be loaded"
          code={timeline.error.code}
          traceId={timeline.error.traceId}
          onRetry={() => void timeline.refetch()}
        >
          {timeline.error.message}
        </LazyErrorNote>
      )}
      {entries.length === 0 && <TimelineEnd kind="empty" />}
      {days.map(({ day, firstAt, messages: ofDay }) => (
        <section key={day} className="relative grid grid-cols-1 gap-3">
          <TimelineDay value={firstAt} />
          {ofDay.map(({ id, created_at, message, text, by, location }, index) => (
            <Fragment key={id}>
              {timeline.turns.length > 0 && (
                <TurnBracket entries={ofDay} turns={timeline.turns} index={index} />
              )}
              {message === null ? (
                <TimelineNote text={text} by={by} at={created_at} location={location} />
              ) : (
                <MessageBubble
                  message={message}
                  sender={isGroup ? (message.from ?? undefined) : undefined}
                  replied={loaded.get(message.reply_to?.message_id ?? "")}
                  isReplaced={replaced.has(id)}
                  isFound={id === foundId}
                />
              )}
            </Fragment>
          ))}
        </section>
      ))}
      {timeline.hasPreviousPage && (
        <TimelineEnd
          kind="newer"
          chatId={chatId}
          isLoading={timeline.isFetchingPreviousPage}
          onLoad={() => void timeline.fetchPreviousPage()}
        />
      )}
      {end}
    </div>
  );
}

type TimelineNoteProps = Pick<TimelineEntry, "text" | "by" | "location"> & { at: string };

/** An event between two messages, or an internal note of a colleague. */
function TimelineNote({ text, by, at, location }: TimelineNoteProps) {
  if (by !== null) return <InternalNote by={by} at={at} text={text} />;
  return (
    <div className="mx-auto flex max-w-full flex-col items-center gap-2 text-balance break-words px-3 py-1 text-center text-muted-foreground text-xs tabular-nums">
      <p>
        {text} · <Timestamp value={at} format="clock" />
      </p>
      {location && <LocationCard location={location} />}
    </div>
  );
}

/** The messages whose cards a newer message updated. Newer messages are always loaded. */
function replacedIds(messages: readonly MessageView[]): ReadonlySet<string> {
  return new Set(messages.flatMap(({ replaces }) => replaces ?? []));
}

function byId(messages: readonly MessageView[]): ReadonlyMap<string, MessageView> {
  return new Map(messages.map((message) => [message.id, message]));
}
