"use client";

import { ArrowDown } from "lucide-react";
import Link from "next/link";
import { useChatFilter } from "@/components/chats/list/use-chat-filter";
import { LoadMore } from "@/components/data/load-more";
import { Button } from "@/components/ui/button";

type NewerMessagesProps = { chatId: string; isLoading: boolean; onLoad: () => void };

/** The end of a timeline that was opened at an earlier message: more of it, or the newest messages. */
export function NewerMessages({ chatId, isLoading, onLoad }: NewerMessagesProps) {
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
