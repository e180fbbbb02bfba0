import { StatusBadge } from "@/components/data/status-badge";
import type { StreamStatus } from "@/lib/client/follow-events";

/** Whether the page follows what happens. Nothing is said while it connects for the first time. */
export function StreamBadge({ status, paused = false }: { status: StreamStatus; paused?: boolean }) {
  if (status === "reconnecting") return <StatusBadge kind="stream" value="reconnecting" />;
  if (paused) return <StatusBadge kind="stream" value="paused" />;
  return status === "live" && <StatusBadge kind="stream" value="live" />;
}
