import "server-only";
import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import { fail } from "@/lib/platform/errors";

/** Maximum number of rows of an imported file, without its header. */
export const MAX_IMPORT_ROWS = 10_000;

/** Names of columns with any handle. */
const HANDLES = new Set(["handle", "number", "recipient", "contact"]);
/** Names such as "Mobile number", and those of the exports of Google Contacts and Outlook: "Phone 1 - Value". */
const PHONE =
  /^([a-z']+ )*(phone|mobile|cell|cellphone|telephone|tel|msisdn|whatsapp)( phone)?( \d+)?( number| no| value)?$/;
const EMAIL = /^([a-z']+ )*(email|e mail)( \d+)?( address| value)?$/;
const NOTES = new Set(["note", "reason", "comment"]);
const ENDS = new Set(["ended at"]);
const DELIMITERS = [",", ";", "\t"];

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
 * Reads the handles and notes of a CSV file with commas, semicolons or tabs, also of exported contacts: a row with several
 * phone numbers is read as one row for each. A first row without digits and without @, or with the name of a column of
 * handles, names the columns. Without it, the first column contains handles and the second notes. Errors:
 * parameter_invalid when the text is not CSV, has no rows, or has more than MAX_IMPORT_ROWS.
 */
export function readImport(csv: string): WrittenFile {
  const parsed = parseCsv(csv);
  const [first] = parsed;
  const header = first !== undefined && isHeader(first.record) ? first.record : null;
  const records = header === null ? parsed : parsed.slice(1);
  if (records.length === 0) fail("parameter_invalid", "the file contains no rows");

  const columns = columnsOf(header);
  const rows = records.flatMap(({ record, info }) => {
    const rest = {
      line: info.lines,
      note: withoutEscape(record[columns.note] ?? "") || null,
      endedAt: record[columns.ended] || null,
    };
    return handlesIn(record, columns.handles).map((handle) => ({ ...rest, handle }));
  });
  if (rows.length > MAX_IMPORT_ROWS) {
    fail(
      "parameter_invalid",
      `the file has more than ${MAX_IMPORT_ROWS.toLocaleString("en-US")} rows: split it`,
    );
  }
  return { header, rows };
}

/** The handles of a row: those in the first group of columns that is not empty. A row without one has an empty handle. */
function handlesIn(record: readonly string[], groups: readonly (readonly number[])[]): string[] {
  for (const columns of groups) {
    // Google Contacts puts several numbers of one type into one cell.
    const found = columns.flatMap((column) => (record[column] ?? "").split(" ::: ").map(cleanHandle));
    const handles = [...new Set(found.filter((handle) => handle !== ""))];
    if (handles.length > 0) return handles;
  }
  return [""];
}

function parseCsv(csv: string): ParsedRows {
  const text = csv.replace(/^\ufeff/, "");
  // The line with which Excel names the delimiter.
  const named = /^"?sep=([,;\t])"?\r?\n/i.exec(text);
  try {
    const parsed = parse(text, {
      delimiter: named?.[1] ?? delimiterOf(text),
      from_line: named === null ? 1 : 2,
      info: true,
      relax_column_count: true,
      // A quotation mark within a cell, as in 5" screen, is text.
      relax_quotes: true,
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

/** The delimiter that the first line has most often outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ""] = text
    .replaceAll(/"[^"]*"/g, "")
    .trimStart()
    .split(/\r?\n/, 1);
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

function isHeader(record: readonly string[]): boolean {
  return !record.some((cell) => /[\d@]/.test(cell)) || record.map(nameOf).some(isHandleColumn);
}

function nameOf(cell: string): string {
  return cell
    .toLowerCase()
    .replaceAll(/[^a-z\d']+/g, " ")
    .trim();
}

const isHandleColumn = (name: string) => HANDLES.has(name) || PHONE.test(name) || EMAIL.test(name);

interface Columns {
  /** Groups of columns in the order in which they are read. */
  handles: readonly (readonly number[])[];
  note: number;
  ended: number;
}

function columnsOf(header: readonly string[] | null): Columns {
  if (header === null) return { handles: [[0]], note: 1, ended: -1 };
  const names = header.map(nameOf);
  const find = (is: (name: string) => boolean) => names.flatMap((name, column) => (is(name) ? [column] : []));
  const groups = [
    find((name) => HANDLES.has(name)),
    find((name) => PHONE.test(name)),
    find((name) => EMAIL.test(name)),
  ].filter((group) => group.length > 0);
  return {
    handles: groups.length === 0 ? [[0]] : groups,
    note: names.findIndex((name) => NOTES.has(name)),
    ended: names.findIndex((name) => ENDS.has(name)),
  };
}

/** Marks of direction and characters of no width, which copied numbers contain. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;

/** A handle without what spreadsheets and address books add: ="+1202…", marks of direction, dashes of other widths. */
export function cleanHandle(cell: string): string {
  const inner = /^="(.*)"$/.exec(cell.trim())?.[1] ?? cell;
  const plain = inner.normalize("NFKC").replaceAll(INVISIBLE, "").replaceAll(DASHES, "-");
  return withoutEscape(plain.replaceAll(/\s/g, " ").trim());
}

// Exported cells that a spreadsheet would read as a formula begin with an apostrophe.
function withoutEscape(cell: string): string {
  return cell.replace(/^'(?=[=+\-@])/, "");
}
