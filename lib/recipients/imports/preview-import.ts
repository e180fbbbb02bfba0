import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { maxUnits } from "@/lib/platform/text/max-units";
import { MAX_IMPORT_ROWS, readImport, type WrittenRow } from "@/lib/recipients/imports/read-import";

/** Maximum length of an imported file in UTF-16 units. */
const MAX_FILE_UNITS = 1_000_000;
/** A unit takes up to 6 bytes in JSON. */
const BODY_LIMIT_BYTES = 6 * MAX_FILE_UNITS + 1024;
/** The same limit as for a single entry. */
export const MAX_IMPORT_NOTE = 500;

const RESULTS = ["new", "listed", "duplicate", "invalid"] as const;

const PreviewedRow = z.object({
  /** The number of the row's last line in the file. */
  line: z.int(),
  /** Normalized unless the row is invalid. */
  handle: z.string(),
  note: z.string().nullable(),
  /** `listed`: already stored. `duplicate`: the same handle is in an earlier row. */
  result: z.enum(RESULTS),
  /** Why the row is not imported; null for new rows. */
  reason: z.string().nullable(),
});

export type PreviewedRow = z.infer<typeof PreviewedRow>;

const ImportPreview = z.object({
  /** The first row, if it was read as the names of the columns. */
  header: z.array(z.string()).nullable(),
  rows: z.array(PreviewedRow).max(MAX_IMPORT_ROWS),
});

export type ImportPreview = z.infer<typeof ImportPreview>;

const preview = {
  body: z.object({ csv: z.string().min(1).check(maxUnits(MAX_FILE_UNITS)) }),
  bodyLimitBytes: BODY_LIMIT_BYTES,
  returns: ImportPreview,
  status: 200,
  errors: ["access_denied", "field_missing", "parameter_invalid"],
} as const;

export const PreviewOptOutImport = contract({
  ...preview,
  summary: "Preview an import of opt-outs",
  tag: "Opt-outs",
  right: "decide_opt_outs",
});

export const PreviewBlockImport = contract({
  ...preview,
  summary: "Preview an import of blocked handles",
  tag: "Blocked handles",
  right: "manage_blocks",
});

/** The rules of the list that a file is imported into. */
export interface ImportRules {
  handle: z.ZodType<string, string>;
  /** Why a handle is not valid. */
  invalid: string;
  /** Why a handle that the list already contains is skipped. */
  listed: string;
  /** Those of the handles that the list already contains. */
  findListed: (ctx: Context, handles: readonly string[]) => Promise<string[]>;
}

/** Says for each row of a file whether it would be imported. Stores nothing. Errors: parameter_invalid. */
export async function previewImport(ctx: Context, csv: string, rules: ImportRules): Promise<ImportPreview> {
  const { header, rows } = readImport(csv);
  const checked = rows.map((row) => check(row, rules));
  const valid = checked.filter(({ reason }) => reason === null).map(({ handle }) => handle);
  const listed = new Set(await rules.findListed(ctx, [...new Set(valid)]));

  const seen = new Map<string, number>();
  return {
    header,
    rows: checked.map((row): PreviewedRow => {
      if (row.reason !== null) return { ...row, result: "invalid" };
      if (listed.has(row.handle)) return { ...row, result: "listed", reason: rules.listed };
      const earlier = seen.get(row.handle);
      if (earlier !== undefined) {
        return { ...row, result: "duplicate", reason: `The same handle is in line ${earlier}.` };
      }
      seen.set(row.handle, row.line);
      return { ...row, result: "new" };
    }),
  };
}

function check(row: WrittenRow, rules: ImportRules): Omit<PreviewedRow, "result"> {
  const { line, handle, note, endedAt, error } = row;
  const written = { line, handle, note };
  if (error !== null) return { ...written, reason: error };
  if (handle === "") return { ...written, reason: "The row has no handle." };
  if (note !== null && note.length > MAX_IMPORT_NOTE) {
    return { ...written, reason: `The note is longer than ${MAX_IMPORT_NOTE} characters.` };
  }
  if (endedAt !== null) return { ...written, reason: `The entry ended on ${endedAt}.` };
  const parsed = rules.handle.safeParse(handle);
  return parsed.success
    ? { line, handle: parsed.data, note, reason: null }
    : { ...written, reason: rules.invalid };
}
