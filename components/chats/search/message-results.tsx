"use client";

import Link from "next/link";
import { useState } from "react";
import { type FoundPage, useFoundMessages } from "@/components/chats/search/use-found-messages";
import { Grouped } from "@/components/data/grouped";
import { LazyErrorNote } from "@/components/data/lazy-error-note";
import { LoadMore } from "@/components/data/load-more";
import { Timestamp } from "@/components/data/time/timestamp";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import type { FoundMessage } from "@/lib/messaging/search/search-message-views";

/** Shown above the chats that match, until more are asked for. */
const FIRST_SHOWN = 3;

type MessageResultsProps = {
  q: string;
  /** The query string of links to chats, which keeps the filter of the list. */
  address: string;
  /** Whether chats match as well. */
  hasChats: boolean;
};

/** The messages that match the search of the chat list. Each opens its chat at the message. */
export function MessageResults({ q, address, hasChats }: MessageResultsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const found = useFoundMessages(q);
  const messages = found.data?.flatMap((page) => page.messages) ?? [];
  const first = found.data?.[0];
  if (first?.state === "off") return null;
  const shown = isOpen || !hasChats ? messages : messages.slice(0, FIRST_SHOWN);
  return (
    <section aria-labelledby="found-messages" className="border-b">
      <h2 id="found-messages" className="px-4 pt-3 pb-1 font-medium text-muted-foreground text-xs">
        Messages
      </h2>
      {found.error && (
        <LazyErrorNote
          title="Messages could not be searched"
          code={found.error.code}
          traceId={found.error.traceId}
          onRetry={() => void found.refetch()}
          className="m-3 w-auto"
        >
          {found.error.message}
        </LazyErrorNote>
      )}
      {found.isPending && !found.error && (
        <div role="status" aria-label="Searching messages" className="flex flex-col gap-2 px-4 py-2">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-4 w-56" />
        </div>
      )}
      <p className="px-4 pb-2 text-muted-foreground text-xs empty:hidden" role="status">
        {first !== undefined && note(messages.length, first)}
      </p>
      <ul className="divide-y">
        {shown.map((message) => (
          <li key={message.id}>
            <FoundMessageLink message={message} address={address} />
          </li>
        ))}
      </ul>
      {shown.length < messages.length && (
        <Button variant="ghost" size="sm" className="mx-3 my-1" onClick={() => setIsOpen(true)}>
          Show all messages
        </Button>
      )}
      <LoadMore
        hasMore={shown.length === messages.length && found.hasNextPage}
        isLoading={found.isFetchingNextPage}
        onLoadMore={() => void found.fetchNextPage()}
        label="more messages"
      />
    </section>
  );
}

function note(count: number, { state, is_limited }: FoundPage): string {
  const sentences = [
    count === 0 && "No message has these words. Codes and passwords can't be searched for.",
    state === "catching_up" && "Earlier messages are still being added to the search.",
    is_limited && "Only the newest chats of this person were searched.",
  ];
  return sentences.filter(Boolean).join(" ");
}

function FoundMessageLink({ message, address }: { message: FoundMessage; address: string }) {
  const query = new URLSearchParams(address);
  query.set("message", message.id);
  return (
    <Link
      href={`/chats/${message.chat_id}?${query}`}
      className="flex flex-col gap-0.5 px-4 py-2 hover:bg-accent"
    >
      <span className="flex items-baseline gap-2 text-xs">
        <bdi className="min-w-0 flex-1 truncate font-medium text-foreground tabular-nums">
          <Grouped>{message.chat_name}</Grouped>
        </bdi>
        <span className="text-muted-foreground">
          <Timestamp value={message.created_at} />
        </span>
      </span>
      <span dir="auto" className="wrap-anywhere line-clamp-3 text-muted-foreground text-sm">
        {message.is_from_me && <span className="sr-only">Sent: </span>}
        {message.sentence.map(({ text, is_match }, index) =>
          is_match ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no identity
            <mark key={index} className="rounded-xs bg-warning/25 font-medium text-foreground">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </span>
    </Link>
  );
}
