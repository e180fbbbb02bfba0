import { stringify } from "csv-stringify/browser/esm/sync";
import type { PreviewedRow } from "@/lib/recipients/imports/preview-import";

/** Downloads the rows that an import leaves out, with the reasons. The file can be corrected and imported. */
export function downloadRefused(filename: string, rows: readonly PreviewedRow[]): void {
  const columns = ["handle", "note", "line", "reason"];
  const csv = stringify([...rows], { header: true, columns, escape_formulas: true, bom: true });
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `left-out-${filename.replace(/\.[^.]*$/, "")}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
