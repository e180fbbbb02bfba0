import { RotateCw } from "lucide-react";
import { RecordBadge, type RecordStatus } from "@/components/data/record-badge";
import { Badge } from "@/components/ui/badge";

type DeliveryStatusProps = {
  status: RecordStatus<"webhook">;
  /** Number of completed attempts. Those of a waiting delivery failed. */
  attempts: number;
  /** Whether the delivery waits for a replay instead of a time. */
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
  waits_for: "replay" | "earlier_event" | "person" | null;
  last_attempt: { number: number } | null;
};

/** `DeliveryStatus` of a delivery in a list. */
export function ListedDeliveryStatus({ delivery }: { delivery: ShownDelivery }) {
  const { status, next_attempt_at: next, last_attempt: last, waits_for } = delivery;
  if (waits_for === "person") return <RecordBadge kind="webhook" value="stopped" />;
  return <DeliveryStatus status={status} attempts={last?.number ?? 0} isHeld={next === null} />;
}
