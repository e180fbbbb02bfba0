"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/data/empty-state";
import { Grouped } from "@/components/data/grouped";
import { None } from "@/components/data/none";
import { downloadRefused } from "@/components/imports/download-refused";
import { Badge, type BadgeVariant } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import type { ImportPreview, PreviewedRow } from "@/lib/recipients/imports/preview-import";

const PAGE_ROWS = 50;

type Result = PreviewedRow["result"];

const RESULTS: Record<Result, { label: string; variant: BadgeVariant }> = {
  new: { label: "Valid", variant: "success" },
  invalid: { label: "Invalid", variant: "destructive" },
  duplicate: { label: "Duplicate", variant: "warning" },
  listed: { label: "Already listed", variant: "neutral" },
};
const SHOWN = Object.keys(RESULTS) as Result[];

const columns: DataColumn<PreviewedRow>[] = [
  { key: "line", header: "Line", align: "number", cell: ({ line }) => line },
  {
    key: "handle",
    header: "Number or email",
    cell: ({ handle }) =>
      handle === "" ? (
        <None />
      ) : (
        <span className="wrap-anywhere tabular-nums">
          <Grouped>{handle}</Grouped>
        </span>
      ),
  },
  {
    key: "note",
    header: "Note",
    className: "sm:max-w-48",
    cell: ({ note }) => (note === null ? <None /> : <span className="block truncate">{note}</span>),
  },
  {
    key: "result",
    header: "Result",
    className: "max-sm:text-right",
    cell: ({ result, reason }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge variant={RESULTS[result].variant}>{RESULTS[result].label}</Badge>
        {reason !== null && <span className="text-muted-foreground text-xs">{reason}</span>}
      </span>
    ),
  },
];

/** The rows of a file before it is imported, by result. */
export function PreviewTable({ filename, preview }: { filename: string; preview: ImportPreview }) {
  const [result, setResult] = useState<Result | "all">("all");
  const [shown, setShown] = useState(PAGE_ROWS);
  const { header, rows } = preview;
  const matching = result === "all" ? rows : rows.filter((row) => row.result === result);
  const refused = rows.filter((row) => row.result !== "new");

  function show(next: string): void {
    setResult(SHOWN.find((known) => known === next) ?? "all");
    setShown(PAGE_ROWS);
  }

  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <p className="wrap-anywhere">
          <span className="font-medium">{filename}</span>
          {header !== null && (
            <span className="text-muted-foreground"> · columns: {header.filter(Boolean).join(", ")}</span>
          )}
        </p>
        {refused.length > 0 && (
          <Button variant="outline" size="sm" onClick={() => downloadRefused(filename, refused)}>
            <Download aria-hidden="true" />
            Download rows left out
          </Button>
        )}
      </div>
      <Tabs value={result} onValueChange={show}>
        <TabsList aria-label="Result" className="max-w-full overflow-x-auto">
          <TabsTrigger value="all">All {countText(rows.length)}</TabsTrigger>
          {SHOWN.map((known) => (
            <TabsTrigger key={known} value={known}>
              {RESULTS[known].label} {countText(rows.filter((row) => row.result === known).length)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value={result} className="max-h-80 overflow-y-auto">
          <DataTable
            label="Rows of the file"
            columns={columns}
            rows={matching.slice(0, shown)}
            rowKey={({ line }) => String(line)}
            empty={
              <EmptyState
                icon={Download}
                title="No rows with this result"
                description="Choose another result."
              />
            }
          />
          {matching.length > shown && (
            <Button
              variant="ghost"
              size="sm"
              className="mt-2"
              onClick={() => setShown(shown + PAGE_ROWS * 10)}
            >
              Show more rows
            </Button>
          )}
        </TabsContent>
      </Tabs>
    </section>
  );
}

function countText(count: number): string {
  return count.toLocaleString("en-US");
}
