"use client";

import { ArrowDown, MessageSquareDashed } from "lucide-react";
import Link from "next/link";
import { useChatFilter } from "@/components/chats/list/use-chat-filter";
import { EmptyState } from "@/components/data/empty-state";
import { LoadMore } from "@/components/data/load-more";
import { Button } from "@/components/ui/button";

type MoreMessagesProps = { isLoading: boolean; onLoad: () => void };

/** The beginning of a timeline of which more can be loaded. */
export function OlderMessages({ isLoading, onLoad }: MoreMessagesProps) {
  return (
    <LoadMore
      hasMore
      isLoading={isLoading}
      onLoadMore={onLoad}
      label="older messages"
      className="[overflow-anchor:none]"
    />
  );
}

/** The end of a timeline that was opened at an earlier message: more of it, or the newest messages. */
export function NewerMessages({ chatId, isLoading, onLoad }: MoreMessagesProps & { chatId: string }) {
  const { query } = useChatFilter();
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-2">
      <LoadMore hasMore isLoading={isLoading} onLoadMore={onLoad} label="newer messages" />
      <Button asChild variant="ghost" size="sm">
        <Link href={`/chats/${chatId}${query}`}>
          <ArrowDown />
          Go to newest
        </Link>
      </Button>
    </div>
  );
}

/** Says that a chat has no messages yet. */
export function NoMessages() {
  return (
    <EmptyState
      icon={MessageSquareDashed}
      title="No messages yet"
      description="Messages of this chat appear here. Write the first one below."
    />
  );
}
