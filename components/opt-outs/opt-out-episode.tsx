import Link from "next/link";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { RecordBadge } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { actorName, describeOptOutEnd, describeOptOutStart } from "@/components/opt-outs/describe-opt-out";
import { Button } from "@/components/ui/button";
import type { OptOut } from "@/lib/recipients/opt-outs/list-opt-outs";

/** One opt-out: its start with the words that are its evidence, its overrides and its end. */
export function OptOutEpisode({ optOut }: { optOut: OptOut }) {
  const end = describeOptOutEnd(optOut);
  return (
    <article className="flex flex-col gap-3 rounded-xl border bg-card p-4 text-[0.8125rem] shadow-xs">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{describeOptOutStart(optOut)}</span>
        <RecordBadge kind="optOut" value={optOut.ended_at === null ? "open" : "ended"} />
      </div>
      {optOut.words !== null && optOut.words !== optOut.keyword && (
        <blockquote className="wrap-anywhere border-l-2 pl-3 text-muted-foreground">
          “{optOut.words}”
        </blockquote>
      )}
      <Moment at={optOut.started_at} chatId={optOut.chat_id} messageId={optOut.message_id} />
      {optOut.overrides.map((override) => (
        <div key={override.message_id} className="flex flex-col gap-1 border-t pt-3">
          <span className="wrap-anywhere">
            Overridden by {actorName(override.by)}
            {override.reason !== null && `: ${override.reason}`}
          </span>
          <Moment at={override.at} chatId={override.chat_id} messageId={override.message_id} />
        </div>
      ))}
      {end !== null && optOut.ended_at !== null && (
        <div className="flex flex-col gap-1 border-t pt-3">
          <span>{end}</span>
          <Moment at={optOut.ended_at} chatId={optOut.chat_id} messageId={optOut.end_message_id} />
        </div>
      )}
    </article>
  );
}

type MomentProps = { at: string; chatId: string | null; messageId: string | null };

function Moment({ at, chatId, messageId }: MomentProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground">
      <Timestamp value={at} format="moment" />
      {messageId !== null && (
        <span className="inline-flex items-center gap-1">
          Message <CopyableId value={messageId} label="message ID" keep={4} />
        </span>
      )}
      {chatId !== null && (
        <Button asChild variant="link" size="sm" className="h-auto p-0">
          <Link href={`/chats/${chatId}`}>Open chat</Link>
        </Button>
      )}
    </div>
  );
}
