import { StatusBadge } from "@/components/data/status-badge";
import type { StreamStatus } from "@/lib/client/follow-events";

/** The status of the live connection. Shows nothing during the first connect. */
export function StreamBadge({ status, paused = false }: { status: StreamStatus; paused?: boolean }) {
  if (status === "reconnecting") return <StatusBadge kind="stream" value="reconnecting" />;
  if (paused) return <StatusBadge kind="stream" value="paused" />;
  return status === "live" && <StatusBadge kind="stream" value="live" />;
}
