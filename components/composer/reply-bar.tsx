import { CornerUpLeft, X } from "lucide-react";
import type { RepliedPart } from "@/components/composer/draft";
import { Button } from "@/components/ui/button";

/** The message that the draft replies to, with a cancel button. */
export function ReplyBar({ reply, onEnd }: { reply: RepliedPart; onEnd: () => void }) {
  return (
    <div className="flex items-start gap-2 border-muted-foreground/50 border-l-2 pl-2 text-xs">
      <CornerUpLeft className="mt-0.5 size-3.5 shrink-0 text-muted-foreground" aria-hidden="true" />
      <div className="min-w-0 flex-1 text-muted-foreground">
        <p className="truncate tabular-nums">Reply to {reply.writer}</p>
        <p className="wrap-anywhere line-clamp-2 text-foreground">{reply.quote}</p>
      </div>
      <Button
        variant="ghost"
        size="icon-xs"
        aria-label="Cancel reply"
        title="Cancel reply (Esc)"
        onClick={onEnd}
      >
        <X />
      </Button>
    </div>
  );
}
