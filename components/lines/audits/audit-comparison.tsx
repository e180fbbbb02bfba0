"use client";

import { FailureNote } from "@/components/data/failure-note";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { AuditChat } from "@/components/lines/audits/audit-chat";
import { METRIC_NAMES } from "@/components/lines/audits/audit-findings";
import { type AuditComparison, compareAudits } from "@/components/lines/audits/compare-audits";
import { DRIVER_NAMES } from "@/components/lines/audits/describe-driver";
import { useAudit } from "@/components/lines/audits/use-audit";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

type Audit = LineDetails["audits"][number];
type AuditComparisonProps = { line: LineDetails; earlier: Audit; later: Audit };

/** The differences between two audits of a line: severity, metrics, risk factors and unhealthy chats. */
export function AuditComparisonView({ line, earlier, later }: AuditComparisonProps) {
  const [before, after] = [useAudit(line, earlier), useAudit(line, later)];
  const failure = before.error ?? after.error;
  const [was, is] = [before.data?.report, after.data?.report];
  const chats = [...(before.data?.chats ?? []), ...(after.data?.chats ?? [])];
  return (
    <Card aria-label="Comparison">
      <CardHeader>
        <CardTitle>Changes</CardTitle>
        <CardDescription>
          From <Timestamp value={earlier.created_at} format="moment" /> to{" "}
          <Timestamp value={later.created_at} format="moment" />.
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        <FailureNote title="The audits could not be loaded" failure={failure} />
        {!(was && is) && failure === null && <Skeleton className="h-64 w-full" />}
        {was && is && <Changes compared={compareAudits(was, is)} chats={chats} />}
      </CardContent>
    </Card>
  );
}

type Chats = { chat_id: string; handle: string | null; group_name: string | null }[];

function Changes({ compared, chats }: { compared: AuditComparison; chats: Chats }) {
  const { severity, metrics, drivers, newChats, recoveredChats } = compared;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <StatusBadge kind="health" value={severity.before} />
        <span aria-hidden="true">→</span>
        <StatusBadge kind="health" value={severity.after} />
        {severity.before === severity.after && <span className="text-muted-foreground">unchanged</span>}
      </p>
      <Table>
        <TableHeader>
          <TableRow>
            <TableHead>Metric</TableHead>
            <TableHead className="text-right">Before</TableHead>
            <TableHead className="text-right">After</TableHead>
            <TableHead className="text-right">Change</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {metrics.map(({ key, before, after }) => (
            <TableRow key={key}>
              <TableCell>{METRIC_NAMES[key] ?? key}</TableCell>
              <TableCell className="text-right tabular-nums">{numberText(before)}</TableCell>
              <TableCell className="text-right tabular-nums">{numberText(after)}</TableCell>
              <TableCell className="text-right font-medium tabular-nums">
                {before === null || after === null ? "–" : signed(after - before)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {drivers.length > 0 && (
        <ul aria-label="Risk factors" className="flex flex-col gap-2">
          {drivers.map(({ key, change, before, after }) => (
            <li key={key} className="flex flex-wrap items-center gap-2">
              <Badge variant={BADGES[change].variant}>{BADGES[change].label}</Badge>
              <span className="font-medium">{DRIVER_NAMES[key]}</span>
              <span className="text-muted-foreground tabular-nums">
                {[before, after].filter((metric) => metric !== null).join(" → ")}
              </span>
            </li>
          ))}
        </ul>
      )}
      <ChatList title="Newly unhealthy" ids={newChats} chats={chats} />
      <ChatList title="No longer listed" ids={recoveredChats} chats={chats} />
    </>
  );
}

const BADGES = {
  new: { label: "New", variant: "destructive" },
  gone: { label: "Gone", variant: "success" },
  stayed: { label: "Unchanged", variant: "neutral" },
} as const;

function ChatList({ title, ids, chats }: { title: string; ids: readonly string[]; chats: Chats }) {
  if (ids.length === 0) return null;
  return (
    <section aria-label={title} className="flex flex-col gap-1.5">
      <h3 className="font-medium text-sm">
        {title} <span className="font-normal text-muted-foreground tabular-nums">{ids.length}</span>
      </h3>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {ids.map((id) => (
          <li key={id}>
            <AuditChat chatId={id} chat={chats.find(({ chat_id }) => chat_id === id)} isLink />
          </li>
        ))}
      </ul>
    </section>
  );
}

function numberText(value: number | null): string {
  return value === null ? "–" : value.toLocaleString("en");
}

function signed(difference: number): string {
  if (difference === 0) return "0";
  return `${difference > 0 ? "+" : "−"}${Math.abs(difference).toLocaleString("en")}`;
}
