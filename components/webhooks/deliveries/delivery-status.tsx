import { RotateCw } from "lucide-react";
import { RecordBadge, type RecordStatus } from "@/components/data/record-badge";
import { Badge } from "@/components/ui/badge";

/** Whether a delivery has not ended. */
export function isPending(status: RecordStatus<"webhook"> | undefined): boolean {
  return status === "waiting" || status === "stopped";
}

type DeliveryStatusProps = {
  status: RecordStatus<"webhook">;
  /** Number of completed attempts. Those of a waiting delivery failed. */
  attempts: number;
  /** Whether the delivery waits for a replay or an earlier event instead of a time. */
  isHeld: boolean;
};

/** The status of a delivery. A delivery that failed and is attempted again says how often it failed. */
export function DeliveryStatus({ status, attempts, isHeld }: DeliveryStatusProps) {
  if (status !== "waiting" || attempts === 0) return <RecordBadge kind="webhook" value={status} />;
  return (
    <Badge variant="destructive" className="tabular-nums">
      <RotateCw aria-hidden="true" className="size-3" />
      {isHeld ? "On hold" : "Retrying"}, {attempts} failed
    </Badge>
  );
}

type ShownDelivery = {
  status: RecordStatus<"webhook">;
  next_attempt_at: string | null;
  last_attempt: { number: number } | null;
};

/** `DeliveryStatus` of a delivery in a list. */
export function ListedDeliveryStatus({ delivery }: { delivery: ShownDelivery }) {
  const { status, next_attempt_at: next, last_attempt: last } = delivery;
  return <DeliveryStatus status={status} attempts={last?.number ?? 0} isHeld={next === null} />;
}
