import Link from "next/link";
import { queryString } from "@/lib/client/query-string";
import { cn } from "@/lib/cn";
import type { LineView } from "@/lib/lines/overview/list-line-views";

type Tally = LineView["chats"];

const PARTS = [
  { key: "healthy", status: "HEALTHY", label: "Healthy", fill: "bg-success" },
  { key: "at_risk", status: "AT_RISK", label: "At risk", fill: "bg-warning-fill" },
  { key: "critical", status: "CRITICAL", label: "Critical", fill: "bg-destructive-text" },
  { key: "opted_out", status: "OPTED_OUT", label: "Opted out", fill: "bg-muted-foreground" },
] as const satisfies { key: keyof Tally; status: string; label: string; fill: string }[];

/** A line's chats by health, as one bar. */
export function ChatHealthBar({ chats, className }: { chats: Tally; className?: string }) {
  const total = totalOf(chats);
  if (total === 0) return <span className="text-muted-foreground text-xs">No chats yet</span>;
  return (
    <span className={cn("inline-flex w-40 max-w-full items-center gap-2.5", className)}>
      <span className="sr-only">
        {PARTS.map(({ key, label }) => `${chats[key]} ${label.toLowerCase()}`).join(", ")}
      </span>
      <span aria-hidden="true" className="flex h-2 min-w-0 flex-1 gap-px overflow-hidden rounded-full">
        {PARTS.map(({ key, fill }) =>
          chats[key] === 0 ? null : (
            <span key={key} className={cn("min-w-1", fill)} style={{ flexGrow: chats[key] }} />
          ),
        )}
      </span>
      <span aria-hidden="true" className="tabular-nums">
        {total}
      </span>
    </span>
  );
}

/** The counts behind the bar. Each links to its chats on the Chat health page. */
export function ChatHealthLinks({ chats, lineId }: { chats: Tally; lineId: string }) {
  return (
    <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4">
      {PARTS.map(({ key, status, label, fill }) => (
        <li key={key}>
          <Link
            href={`/chat-health${queryString({ status, line: lineId })}`}
            className="flex flex-col gap-0.5 rounded-lg border px-3 py-2 transition-colors hover:bg-muted/70"
          >
            <span className="flex items-center gap-1.5 text-muted-foreground text-xs">
              <span aria-hidden="true" className={cn("size-2 rounded-full", fill)} />
              {label}
            </span>
            <span className="font-semibold text-lg tabular-nums">{chats[key].toLocaleString("en")}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function totalOf(chats: Tally): number {
  return PARTS.reduce((sum, { key }) => sum + chats[key], 0);
}
