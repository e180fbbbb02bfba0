import type { AuditReport } from "@/lib/lines/reputation/reputation-audit";

type DriverKey = AuditReport["drivers"][number]["key"];

/** How a line changed between two audits. */
export interface AuditComparison {
  severity: { before: AuditReport["severity"]; after: AuditReport["severity"] };
  /** In the order of the later audit. A metric that only one audit has is compared with null. */
  metrics: { key: string; before: number | null; after: number | null }[];
  drivers: {
    key: DriverKey;
    change: "new" | "gone" | "stayed";
    before: string | null;
    after: string | null;
  }[];
  /** Chats that only the later audit lists, and chats that only the earlier one lists. */
  newChats: string[];
  recoveredChats: string[];
}

/** Compares the reports of two audits of one line. */
export function compareAudits(before: AuditReport, after: AuditReport): AuditComparison {
  const keys = [...new Set([...Object.keys(after.metrics), ...Object.keys(before.metrics)])];
  const [chatsBefore, chatsAfter] = [chatsOf(before), chatsOf(after)];
  return {
    severity: { before: before.severity, after: after.severity },
    metrics: keys.map((key) => ({
      key,
      before: before.metrics[key] ?? null,
      after: after.metrics[key] ?? null,
    })),
    drivers: compareDrivers(before.drivers, after.drivers),
    newChats: [...chatsAfter].filter((id) => !chatsBefore.has(id)),
    recoveredChats: [...chatsBefore].filter((id) => !chatsAfter.has(id)),
  };
}

function compareDrivers(
  before: AuditReport["drivers"],
  after: AuditReport["drivers"],
): AuditComparison["drivers"] {
  const metricOf = (drivers: AuditReport["drivers"], key: DriverKey) =>
    drivers.find((driver) => driver.key === key)?.metric ?? null;
  const keys = [...new Set([...after, ...before].map(({ key }) => key))];
  return keys.map((key) => {
    const [was, is] = [metricOf(before, key), metricOf(after, key)];
    const change = was === null ? "new" : is === null ? "gone" : "stayed";
    return { key, change, before: was, after: is };
  });
}

function chatsOf({ evidence }: AuditReport): Set<string> {
  return new Set(evidence.unhealthy_chats.map(({ chat_id }) => chat_id));
}
