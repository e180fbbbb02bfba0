import { DRIVER_NAMES } from "@/components/lines/audits/describe-driver";
import { Badge, type BadgeVariant } from "@/components/ui/badge";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { AuditReport } from "@/lib/lines/reputation/reputation-audit";

type Impact = AuditReport["action_items"][number]["expected_impact"];

const IMPACTS = {
  high: { label: "High impact", variant: "destructive" },
  medium: { label: "Medium impact", variant: "warning" },
  low: { label: "Low impact", variant: "neutral" },
} as const satisfies Record<Impact, { label: string; variant: BadgeVariant }>;

/** The names of the metrics of an audit report. */
export const METRIC_NAMES: Record<string, string> = {
  chats: "Chats",
  at_risk_chats: "At risk",
  critical_chats: "Critical",
  opted_out_chats: "Opted out",
  new_chats_24h: "New chats, 24 hr",
  sent_24h: "Sent, 24 hr",
  received_24h: "Received, 24 hr",
  sent_7d_before: "Sent, previous 7 days",
};

/** The risk factors of a line with their metrics, and recommended actions by priority. */
export function AuditFindings({ report }: { report: AuditReport }) {
  return (
    <>
      <Card>
        <CardHeader>
          <CardTitle>Risk factors</CardTitle>
        </CardHeader>
        <CardContent className="flex flex-col gap-4">
          {report.drivers.length === 0 && <p className="text-muted-foreground">No risk factors found.</p>}
          <ul className="flex flex-col gap-3">
            {report.drivers.map(({ key, summary, metric }) => (
              <li key={key} className="flex flex-col gap-0.5">
                <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <span className="font-medium">{DRIVER_NAMES[key]}</span>
                  <span className="tabular-nums">{metric}</span>
                </span>
                <span className="text-muted-foreground">{summary}</span>
              </li>
            ))}
          </ul>
          <Metrics metrics={report.metrics} />
        </CardContent>
      </Card>
      {report.action_items.length > 0 && <Actions items={report.action_items} />}
    </>
  );
}

function Actions({ items }: { items: AuditReport["action_items"] }) {
  const sorted = items.toSorted((one, other) => one.priority - other.priority);
  return (
    <Card>
      <CardHeader>
        <CardTitle>Recommended actions</CardTitle>
      </CardHeader>
      <CardContent>
        <ol className="flex flex-col gap-4">
          {sorted.map(({ priority, title, detail, expected_impact: impact }) => (
            <li key={priority} className="flex gap-3">
              <span className="w-4 shrink-0 text-right text-muted-foreground tabular-nums">{priority}</span>
              <span className="flex min-w-0 flex-col gap-0.5">
                <span className="flex flex-wrap items-center gap-2">
                  <span className="font-medium">{title}</span>
                  <Badge variant={IMPACTS[impact].variant}>{IMPACTS[impact].label}</Badge>
                </span>
                <span className="text-muted-foreground">{detail}</span>
              </span>
            </li>
          ))}
        </ol>
      </CardContent>
    </Card>
  );
}

function Metrics({ metrics }: { metrics: AuditReport["metrics"] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 border-t pt-4 sm:grid-cols-4">
      {Object.entries(metrics).map(([key, value]) => (
        <div key={key} className="flex flex-col">
          <dt className="text-muted-foreground text-xs">{METRIC_NAMES[key] ?? key}</dt>
          <dd className="font-medium tabular-nums">{value.toLocaleString("en")}</dd>
        </div>
      ))}
    </dl>
  );
}
