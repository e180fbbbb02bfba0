import Link from "next/link";
import { useEffect, useRef } from "react";
import { HandleLink } from "@/components/customers/handle-link";
import { Timestamp } from "@/components/data/time/timestamp";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { OptOutHint } from "@/lib/recipients/opt-outs/list-hints";

type NearMissProps = {
  hint: OptOutHint;
  /** Whether keyboard shortcuts apply to this message. */
  current: boolean;
  deciding: boolean;
  /** undefined when the user's role may not decide. */
  onDecide: ((decision: "opted_out" | "dismissed") => void) | undefined;
};

/** A message that may be an opt-out request, with buttons to opt the sender out or dismiss it. */
export function NearMiss({ hint, current, deciding, onDecide }: NearMissProps) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current) card.current?.scrollIntoView({ block: "nearest" });
  }, [current]);

  return (
    <article
      ref={card}
      aria-label={`Message from ${hint.handle}`}
      aria-current={current ? "true" : undefined}
      className={cn(
        "flex flex-col gap-3 rounded-xl border bg-card p-4 shadow-xs sm:flex-row sm:items-center sm:justify-between",
        current && "border-ring",
      )}
    >
      <div className="flex min-w-0 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3 text-[0.8125rem]">
          <HandleLink handle={hint.handle} className="font-medium" />
          <Link href={`/chats/${hint.chat_id}`} className="hover:underline">
            Open chat
          </Link>
          <Timestamp value={hint.created_at} className="text-muted-foreground" />
        </p>
        {hint.context.map(({ id, text, is_from_me }) => (
          <p key={id} className="line-clamp-2 wrap-anywhere text-[0.8125rem] text-muted-foreground">
            {is_from_me ? "You" : "Recipient"}: {text === "" ? "a message without text" : text}
          </p>
        ))}
        <p className="wrap-anywhere">
          {hint.text === "" ? (
            <span className="text-muted-foreground">
              The text of this message is no longer stored. It contained “{hint.word}”.
            </span>
          ) : (
            `“${hint.text}”`
          )}
        </p>
      </div>
      {onDecide && (
        <div className="flex shrink-0 gap-2">
          <Button variant="outline" size="sm" disabled={deciding} onClick={() => onDecide("dismissed")}>
            Dismiss<span className="sr-only"> the message from {hint.handle}</span>
          </Button>
          <Button size="sm" disabled={deciding} onClick={() => onDecide("opted_out")}>
            Opt out<span className="sr-only"> {hint.handle}</span>
          </Button>
        </div>
      )}
    </article>
  );
}
