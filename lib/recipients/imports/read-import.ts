import "server-only";
import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import { fail } from "@/lib/platform/errors";

/** Maximum number of rows of an imported file, without its header. */
export const MAX_IMPORT_ROWS = 10_000;

const MAX_ROW_UNITS = 4000;
const HANDLES = [
  "handle",
  "phone",
  "phone number",
  "phone_number",
  "number",
  "mobile",
  "telephone",
  "email",
  "email address",
  "recipient",
];
const NOTES = ["note", "reason", "comment"];
const ENDS = ["ended_at"];

/** A row of an imported file as written. */
export interface WrittenRow {
  /** The number of the row's last line, from 1. */
  line: number;
  handle: string;
  note: string | null;
  /** When the entry ended, in a file that Trunkline exported. */
  endedAt: string | null;
}

export interface WrittenFile {
  /** The first row, if it names the columns. */
  header: string[] | null;
  rows: WrittenRow[];
}

/** The records of the parser with the option `info`. */
const ParsedRows = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }));

type ParsedRows = z.infer<typeof ParsedRows>;

/**
 * Reads the handles and notes of a CSV file with commas, semicolons or tabs. A first row without digits and without @
 * names the columns. Without it, the first column contains handles and the second notes. Errors: parameter_invalid when
 * the text is not CSV, has no rows, or has more than MAX_IMPORT_ROWS.
 */
export function readImport(csv: string): WrittenFile {
  const parsed = parseCsv(csv);
  const [first] = parsed;
  const header = first !== undefined && isHeader(first.record) ? first.record : null;
  const records = header === null ? parsed : parsed.slice(1);
  if (records.length === 0) fail("parameter_invalid", "the file contains no rows");
  if (records.length > MAX_IMPORT_ROWS) {
    fail(
      "parameter_invalid",
      `the file has more than ${MAX_IMPORT_ROWS.toLocaleString("en-US")} rows: split it`,
    );
  }

  const columns = columnsOf(header);
  return {
    header,
    rows: records.map(({ record, info }) => ({
      line: info.lines,
      handle: withoutEscape(record[columns.handle] ?? ""),
      note: withoutEscape(record[columns.note] ?? "") || null,
      endedAt: record[columns.ended] || null,
    })),
  };
}

function parseCsv(csv: string): ParsedRows {
  try {
    const parsed = parse(csv, {
      bom: true,
      delimiter: [",", ";", "\t"],
      info: true,
      max_record_size: MAX_ROW_UNITS,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      to: MAX_IMPORT_ROWS + 2,
      trim: true,
    });
    return ParsedRows.parse(parsed);
  } catch (error) {
    if (error instanceof CsvError) fail("parameter_invalid", `the file is not valid CSV: ${error.message}`);
    throw error;
  }
}

function isHeader(record: readonly string[]): boolean {
  return !record.some((cell) => /[\d@]/.test(cell));
}

function columnsOf(header: readonly string[] | null): { handle: number; note: number; ended: number } {
  if (header === null) return { handle: 0, note: 1, ended: -1 };
  const names = header.map((cell) => cell.toLowerCase());
  const find = (known: readonly string[]) => names.findIndex((name) => known.includes(name));
  return { handle: Math.max(find(HANDLES), 0), note: find(NOTES), ended: find(ENDS) };
}

// Exported cells that a spreadsheet would read as a formula begin with an apostrophe.
function withoutEscape(cell: string): string {
  return cell.replace(/^'(?=[=+\-@])/, "");
}
