import { Button } from "@/components/ui/button";

/** The number of events received while the log is paused. */
export function WaitingNote({ count, onResume }: { count: number; onResume: () => void }) {
  return (
    <div className="flex items-center justify-between gap-3 border-b bg-muted/60 px-4 py-2">
      <p role="status" className="text-muted-foreground text-xs tabular-nums">
        {count === 1 ? "1 event" : `${count} events`} received while paused
      </p>
      <Button variant="outline" size="xs" onClick={onResume}>
        Show
      </Button>
    </div>
  );
}
