import Link from "next/link";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { Timestamp } from "@/components/data/time/timestamp";

export type AttachmentUse = {
  message_id: string;
  chat_id: string;
  is_from_me: boolean;
  chat: string | null;
  created_at: string;
};

const USES_SHOWN = 20;

/** The messages that contain a file, newest first. */
export function AttachmentUses({ uses }: { uses: AttachmentUse[] }) {
  return (
    <section aria-label="Messages" className="flex flex-col gap-3">
      <h2 className="font-medium text-sm">Messages with this file</h2>
      {uses.length === 0 && <p className="text-muted-foreground">No message contains this file.</p>}
      {uses.length > 0 && (
        <ul className="divide-y rounded-xl border bg-card shadow-xs">
          {uses.map((use) => (
            <li
              key={use.message_id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5"
            >
              <span className="min-w-0">
                {use.is_from_me ? "To" : "From"}{" "}
                <Link
                  href={`/chats/${use.chat_id}`}
                  className="wrap-anywhere tabular-nums underline underline-offset-4"
                >
                  {use.chat ?? "a group"}
                </Link>
              </span>
              <span className="flex items-center gap-3 text-muted-foreground">
                <CopyableId value={use.message_id} label="message ID" keep={4} />
                <Timestamp value={use.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {uses.length === USES_SHOWN && (
        <p className="text-muted-foreground text-xs">Showing the newest {USES_SHOWN}.</p>
      )}
    </section>
  );
}
