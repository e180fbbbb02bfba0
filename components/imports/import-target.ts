import type { ImportPreview } from "@/lib/recipients/imports/preview-import";

/** A batch of rows of a file. */
interface ImportBatch {
  filename: string;
  rows: { handle: string; note: string | null }[];
}

/** The list that a file is imported into. */
export interface ImportTarget {
  title: string;
  /** The effect of the import. */
  description: string;
  /** The name of one entry, and of several. */
  one: string;
  many: string;
  /** The name of the optional second column. */
  note: string;
  preview: (csv: string) => Promise<ImportPreview>;
  store: (batch: ImportBatch) => Promise<{ added: number; listed: number }>;
}
