import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";
import { MAX_IMPORT_NOTE } from "@/lib/recipients/imports/preview-import";

/** Maximum number of rows of one batch, which is one transaction. */
const MAX_BATCH = 200;
const MAX_FILENAME = 200;

/** The body of an import: a batch of rows of a file. */
export function importBatch(handle: z.ZodType<string, string>) {
  return z.object({
    /** The name of the file, for the evidence and the audit log. */
    filename: z.string().trim().min(1).check(maxUnits(MAX_FILENAME)),
    rows: z
      .array(z.object({ handle, note: z.string().trim().check(maxUnits(MAX_IMPORT_NOTE)).nullish() }))
      .min(1)
      .max(MAX_BATCH),
  });
}

export const ImportResult = z.object({
  added: z.int(),
  /** Rows that were in the list before, for example after a repeated request. */
  listed: z.int(),
});

/** Rows of a batch, each handle once, in the order in which every import locks them. */
export function inLockOrder<Row extends { handle: string }>(rows: readonly Row[]): Row[] {
  const byHandle = new Map(rows.toReversed().map((row) => [row.handle, row]));
  return [...byHandle.values()].toSorted((left, right) => (left.handle < right.handle ? -1 : 1));
}
