import { endedOf } from "@/components/webhooks/replays/replay-pace";
import { cn } from "@/lib/cn";
import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

/** The progress of a replay, by outcome. */
export function ReplayBar({ replay }: { replay: WebhookReplay }) {
  const { total, delivered, failed, skipped } = replay;
  const ended = endedOf(replay);
  const parts = [
    { name: "delivered", count: delivered, className: "bg-success" },
    { name: "failed", count: failed, className: "bg-destructive-text" },
    { name: "skipped", count: skipped, className: "bg-muted-foreground" },
  ];
  return (
    <div
      role="progressbar"
      aria-label="Replay"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={ended}
      aria-valuetext={`${ended} of ${total}: ${delivered} delivered, ${failed} failed, ${skipped} skipped`}
      className="flex h-2 overflow-hidden rounded-full bg-secondary"
    >
      {parts.map(({ name, count, className }) => (
        <span
          key={name}
          className={cn("transition-[width]", className)}
          style={{ width: `${(count / Math.max(1, total)) * 100}%` }}
        />
      ))}
    </div>
  );
}
