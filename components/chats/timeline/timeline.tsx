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
import { untilLoaded } from "@/components/data/until-loaded";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { MessageView } from "@/lib/messaging/messages/message-view";
import type { ChatNote } from "@/lib/messaging/team/chat-note";

// Few chats have so many messages.
const OlderMessages = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/timeline/timeline-ends")).OlderMessages),
  { loading: () => null },
);

// Loaded where a chat has notes or turns.
const TimelineNote = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/timeline/timeline-note")).TimelineNote),
  {
    // Each entry has a row of its day's grid.
    loading: () => <div />,
  },
);

const TurnBracket = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/timeline/turn-bracket")).TurnBracket),
  {
    loading: () => null,
  },
);

const NoMessages = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/timeline/timeline-ends")).NoMessages),
  {
    loading: () => null,
  },
);

// Loaded where a chat is opened at an earlier message.
const NewerMessages = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/timeline/timeline-ends")).NewerMessages),
  {
    loading: () => null,
  },
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
      {timeline.hasNextPage && <OlderMessages isLoading={timeline.isFetchingNextPage} onLoad={onLoadOlder} />}
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
      {entries.length === 0 && <NoMessages />}
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
        <NewerMessages
          chatId={chatId}
          isLoading={timeline.isFetchingPreviousPage}
          onLoad={() => void timeline.fetchPreviousPage()}
        />
      )}
      {end}
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
