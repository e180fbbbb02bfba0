import type { ReactNode } from "react";
import { ScrollRegion } from "@/components/data/scroll-region";
import { StatusBadge, type StatusOf } from "@/components/data/status-badge";

export const guideLink = "underline underline-offset-4";

type GuideSectionProps = { id: string; title: string; children: ReactNode };

/** A section of a guide, linkable by its id. */
export function GuideSection({ id, title, children }: GuideSectionProps) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 border-t pt-6">
      <h2 id={id} className="font-semibold text-lg tracking-tight">
        {title}
      </h2>
      <div className="flex min-w-0 flex-col gap-3 text-pretty leading-relaxed">{children}</div>
    </section>
  );
}

type GuideStatusProps = { id: string; status: StatusOf<"health">; title: string; children: ReactNode };

/** A section about one health status. The API's `doc_url` links to its id. */
export function GuideStatus({ id, status, title, children }: GuideStatusProps) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 border-t pt-6">
      <div className="flex items-center gap-3">
        <h2 id={id} className="font-semibold text-lg tracking-tight">
          {title}
        </h2>
        <StatusBadge kind="health" value={status} />
      </div>
      <div className="flex flex-col gap-2 text-pretty leading-relaxed">{children}</div>
    </section>
  );
}

type GuideListProps = { rows: readonly (readonly [name: string, text: ReactNode])[] };

/** A list of names with descriptions. */
export function GuideList({ rows }: GuideListProps) {
  return (
    <dl className="divide-y rounded-xl border bg-card shadow-xs">
      {rows.map(([name, text]) => (
        <div key={name} className="flex flex-col gap-0.5 px-4 py-2.5">
          <dt className="font-medium">{name}</dt>
          <dd className="text-muted-foreground">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

type GuideTableProps = {
  /** The accessible name of the table. */
  label: string;
  columns: readonly string[];
  /** The rows; the first cell of each is the row header. */
  rows: readonly (readonly string[])[];
};

/** A small text table that scrolls horizontally on narrow screens. */
export function GuideTable({ label, columns, rows }: GuideTableProps) {
  return (
    <ScrollRegion label={label} className="overflow-x-auto rounded-xl border bg-card shadow-xs">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b">
            {columns.map((column) => (
              <th key={column} scope="col" className="px-4 py-2.5 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row" className="px-4 py-2.5 font-normal">
                {name}
              </th>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]} className="px-4 py-2.5 text-muted-foreground">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** An identifier as it appears in requests and responses. */
export function GuideCode({ children }: { children: ReactNode }) {
  return <code className="wrap-anywhere font-mono text-xs">{children}</code>;
}
