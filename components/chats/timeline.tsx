"use client";

import { ArrowDown, MessageSquareDashed } from "lucide-react";
import { type UIEvent, useMemo } from "react";
import { MessageBubble } from "@/components/chats/message-bubble";
import { TimelineDay, useTimelineDays } from "@/components/chats/timeline-day";
import { useStickToEnd } from "@/components/chats/use-stick-to-end";
import type { useTimeline } from "@/components/chats/use-timeline";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import { Button } from "@/components/ui/button";
import type { TimelineMessage } from "@/lib/messages/timeline-message";

const LOAD_OLDER_AT_PX = 160;

type TimelineProps = {
  timeline: ReturnType<typeof useTimeline>;
  isGroup: boolean;
  /** The message the reader has just sent. */
  sentId?: string;
};

/** What was said in a chat, oldest first, with what became of every message. */
export function Timeline({ timeline, isGroup, sentId }: TimelineProps) {
  const messages = useMemo(() => timeline.data?.toReversed() ?? [], [timeline.data]);
  const { box, onScroll, unseen, toEnd } = useStickToEnd({
    newestId: messages.at(-1)?.id,
    oldestId: messages[0]?.id,
    sentId,
  });

  function loadOlder(): void {
    if (timeline.hasNextPage && !timeline.isFetchingNextPage) void timeline.fetchNextPage();
  }

  function scrolled(event: UIEvent<HTMLDivElement>): void {
    onScroll();
    if (event.currentTarget.scrollTop < LOAD_OLDER_AT_PX) loadOlder();
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={box}
        role="log"
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={scrolled}
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <TimelineBody timeline={timeline} messages={messages} isGroup={isGroup} onLoadOlder={loadOlder} />
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

function TimelineBubble({ message, isGroup }: { message: TimelineMessage; isGroup: boolean }) {
  return (
    <MessageBubble
      message={message}
      sender={isGroup ? (message.from ?? undefined) : undefined}
      failure={message.failure}
      traceId={message.trace_id}
    />
  );
}

type TimelineBodyProps = Omit<TimelineProps, "sentId"> & {
  messages: TimelineMessage[];
  onLoadOlder: () => void;
};

function TimelineBody({ timeline, messages, isGroup, onLoadOlder }: TimelineBodyProps) {
  const days = useTimelineDays(messages);
  return (
    <div className="mx-auto flex min-h-full max-w-3xl flex-col justify-end px-4 py-4 sm:px-6">
      <LoadMore
        hasMore={timeline.hasNextPage}
        isLoading={timeline.isFetchingNextPage}
        onLoadMore={onLoadOlder}
        label="older messages"
      />
      {timeline.error && (
        <ErrorNote
          title="Not all messages could be loaded"
          code={timeline.error.code}
          traceId={timeline.error.traceId}
          onRetry={() => void timeline.refetch()}
        >
          {timeline.error.message}
        </ErrorNote>
      )}
      {messages.length === 0 && (
        <EmptyState icon={MessageSquareDashed} title="No messages" description="Write the first one below." />
      )}
      {days.map(({ day, firstAt, messages: ofDay }) => (
        <section key={day} className="flex flex-col gap-3">
          <TimelineDay value={firstAt} />
          {ofDay.map((message) => (
            <TimelineBubble key={message.id} message={message} isGroup={isGroup} />
          ))}
        </section>
      ))}
    </div>
  );
}
