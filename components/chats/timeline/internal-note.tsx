import { Timestamp } from "@/components/data/time/timestamp";

type InternalNoteProps = { by: string; at: string; text: string };

/** A note that only colleagues see, in the thread. */
export function InternalNote({ by, at, text }: InternalNoteProps) {
  return (
    <aside
      aria-label={`Internal note by ${by}`}
      className="mx-auto flex w-full max-w-md flex-col gap-1 rounded-lg border border-warning/50 border-dashed bg-warning/10 px-3 py-2 text-[0.8125rem]"
    >
      <p className="text-muted-foreground text-xs">
        Internal note by {by}, <Timestamp value={at} format="clock" />
      </p>
      <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
    </aside>
  );
}
