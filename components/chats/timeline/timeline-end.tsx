"use client";

import { ArrowDown, MessageSquareDashed } from "lucide-react";
import Link from "next/link";
import { useChatFilter } from "@/components/chats/list/use-chat-filter";
import { EmptyState } from "@/components/data/empty-state";
import { LoadMore } from "@/components/data/load-more";
import { Button } from "@/components/ui/button";

type MoreMessagesProps = { isLoading: boolean; onLoad: () => void };
type NewerMessagesProps = MoreMessagesProps & { chatId: string };
type TimelineEndProps =
  | ({ kind: "older" } & MoreMessagesProps)
  | ({ kind: "newer" } & NewerMessagesProps)
  | { kind: "empty" };

/** The beginning or the end of a timeline of which more can be loaded, or that there are no messages. */
export function TimelineEnd(props: TimelineEndProps) {
  if (props.kind === "empty") return <NoMessages />;
  return props.kind === "older" ? <OlderMessages {...props} /> : <NewerMessages {...props} />;
}

function OlderMessages({ isLoading, onLoad }: MoreMessagesProps) {
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

/** For a timeline that was opened at an earlier message: more of it, or the newest messages. */
function NewerMessages({ chatId, isLoading, onLoad }: NewerMessagesProps) {
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

function NoMessages() {
  return (
    <EmptyState
      icon={MessageSquareDashed}
      title="No messages yet"
      description="Messages of this chat appear here. Write the first one below."
    />
  );
}
