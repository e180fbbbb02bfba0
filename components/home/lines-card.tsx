import { Phone } from "lucide-react";
import { CopyButton } from "@/components/data/copy/copy-button";
import { EmptyState } from "@/components/data/empty-state";
import { RecordBadge } from "@/components/data/record-badge";
import { StatusBadge } from "@/components/data/status-badge";
import { LineName } from "@/components/lines/line-name";
import type { Line } from "@/lib/lines/lines/line";

/** The API's base URL and the account's lines. */
export function LinesCard({ baseUrl, lines }: { baseUrl: string; lines: Line[] }) {
  return (
    <section aria-labelledby="lines" className="min-w-0 rounded-xl border bg-card shadow-xs">
      <h2 id="lines" className="border-b px-4 py-3.5 font-semibold tracking-tight">
        Lines
      </h2>
      {lines.length === 0 ? (
        <EmptyState
          icon={Phone}
          title="No lines yet"
          description="Your lines appear here. A line is a phone number that sends and receives messages. Ask your operator to add one to this account."
          className="py-8"
        />
      ) : (
        <ul className="divide-y">
          {lines.map((line) => (
            <li key={line.id} className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2.5">
              <LineName number={line.phone_number} className="text-xs" />
              <CopyButton value={line.phone_number} label="number" />
              <span className="ml-auto flex gap-1.5">
                <StatusBadge kind="service" value={line.line_type} />
                {line.status === "FLAGGED" && <RecordBadge kind="line" value={line.status} />}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-col gap-1 border-t px-4 py-3">
        <h3 className="text-muted-foreground text-xs">API base URL</h3>
        <p className="flex items-center justify-between gap-2">
          <span className="wrap-anywhere font-mono text-xs">{baseUrl}</span>
          <CopyButton value={baseUrl} label="base URL" />
        </p>
      </div>
    </section>
  );
}
