import "server-only";
import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import { fail } from "@/lib/platform/errors/errors";

/** Maximum number of rows of an imported file, without its header. */
export const MAX_IMPORT_ROWS = 10_000;

/** Rows that are read: with those that name the delimiter and the columns, and one that is too many. */
const MAX_PARSED = MAX_IMPORT_ROWS + 3;

/** Names of columns with any handle. */
const HANDLES = new Set(["handle", "number", "recipient", "contact"]);
/** Names such as "Mobile number", and those of the exports of Google Contacts and Outlook: "Phone 1 - Value". */
const PHONE =
  /^([a-z']+ )*(phone|mobile|cell|cellphone|telephone|tel|msisdn|whatsapp)( phone)?( \d+)?( number| no| value)?$/;
const EMAIL = /^([a-z']+ )*(email|e mail)( \d+)?( address| value)?$/;
const MAX_REASON = 200;
const NOTES = new Set(["note", "reason", "comment"]);
const ENDS = new Set(["ended at"]);
const DELIMITERS = [",", ";", "\t", "|"];
/** The form of a phone number or an email address, valid or not. */
const LIKE_HANDLE = /^[^\s@]+@[^\s@]+$|^\+?(?:[\s().\-/]*\d){7,15}$/;
/** 1980-05-01, 5/1/1980 and 01.05.1980 have as many digits as a phone number. */
const DATE = /^\d{1,4}([-./])\d{1,2}\1\d{1,4}$/;
/** A line without any value. */
const EMPTY_LINE = /^(?:[\s,;|]|"")*$/;

/** A row of an imported file as written. */
export interface WrittenRow {
  /** The number of the row's last line, from 1. */
  line: number;
  handle: string;
  note: string | null;
  /** When the entry ended, in a file that Trunkline exported. */
  endedAt: string | null;
  /** Why the row can't be read; null for a row that can. */
  error: string | null;
}

export interface WrittenFile {
  /** The first row, if it names the columns. */
  header: string[] | null;
  rows: WrittenRow[];
}

/** The records of the parser with the option `info`, and those that it can't read. */
const ParsedRows = z.array(
  z.object({
    record: z.array(z.string()),
    info: z.object({ lines: z.int() }),
    error: z.string().nullable().default(null),
  }),
);

type ParsedRows = z.infer<typeof ParsedRows>;

/**
 * Reads the handles and notes of a CSV file with commas, semicolons, tabs or bars, also of exported contacts: a row with
 * several phone numbers is read as one row for each. A first row without digits and without @, or with the name of a column
 * of handles, names the columns. If none is named as handles, the column with the most handles contains them, first those
 * with + or @. Without names,
 * the first column contains handles and the second notes. Errors: parameter_invalid when the text is not CSV, has no rows, or
 * has more than MAX_IMPORT_ROWS.
 */
export function readImport(csv: string): WrittenFile {
  const parsed = parseCsv(csv);
  const [first] = parsed;
  const header = first !== undefined && isHeader(first.record) ? first.record : null;
  const records = header === null ? parsed : parsed.slice(1);
  if (records.length === 0) fail("parameter_invalid", "the file contains no rows");

  const columns = columnsOf(header, records);
  const rows = records.flatMap(({ record, info, error }) => {
    const rest = {
      line: info.lines,
      error,
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

/**
 * The handles of a row: those in the first group of columns with a number or an address, or else in the first that is not
 * empty. A row without one has an empty handle.
 */
function handlesIn(record: readonly string[], groups: readonly (readonly number[])[]): string[] {
  const found = groups
    .map((columns) => [...new Set(columns.flatMap((column) => splitCell(record[column] ?? "")))])
    .filter((handles) => handles.length > 0);
  return found.find((handles) => handles.some(isLikeHandle)) ?? found[0] ?? [""];
}

/** The handles of a cell. Google Contacts puts several numbers of one type into one, people several of any. */
function splitCell(cell: string): string[] {
  const handles = cell
    .split(" ::: ")
    .map(cleanHandle)
    .filter((handle) => handle !== "");
  return handles.flatMap((handle) => {
    const parts = handle.split(/[;,|]|\s\/\s/).map(cleanHandle);
    return parts.length > 1 && parts.every(isLikeHandle) ? parts : [handle];
  });
}

function isLikeHandle(value: string): boolean {
  return LIKE_HANDLE.test(value) && !DATE.test(value);
}

function parseCsv(csv: string): ParsedRows {
  const text = csv.replace(/^\ufeff+/, "");
  // The line with which Excel names the delimiter.
  const named = /^"?sep=([,;\t|])"?(\r?\n|\r)/i.exec(text);
  const delimiter = named?.[1] ?? delimiterOf(text);
  try {
    return parseRecords(text, delimiter, named === null ? 1 : 2);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const rows = parseLines(text, delimiter).slice(named === null ? 0 : 1);
    const isReadable = rows.some((row, index) => row.error === null && (index > 0 || !isHeader(row.record)));
    return isReadable ? rows : fail("parameter_invalid", `the file is not valid CSV: ${error.message}`);
  }
}

/** Throws CsvError. */
function parseRecords(text: string, delimiter: string, fromLine: number): ParsedRows {
  const parsed = parse(text, {
    delimiter,
    from_line: fromLine,
    info: true,
    relax_column_count: true,
    // A quotation mark within a cell, as in 5" screen, is text.
    relax_quotes: true,
    skip_records_with_empty_values: true,
    to: MAX_PARSED,
    trim: true,
  });
  return ParsedRows.parse(parsed);
}

/** Reads each line for itself, so that a row whose quotation marks do not match is refused alone. */
function parseLines(text: string, delimiter: string): ParsedRows {
  const rows: ParsedRows = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (rows.length > MAX_PARSED) break;
    if (!EMPTY_LINE.test(line)) rows.push(...parseLine(line, delimiter, { lines: index + 1 }));
  }
  return rows;
}

function parseLine(line: string, delimiter: string, info: { lines: number }): ParsedRows {
  try {
    return parseRecords(line, delimiter, 1).map((row) => ({ ...row, info }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const reason = `The quotation marks of the row do not match: ${line.trim()}`;
    return [{ record: [], info, error: reason.slice(0, MAX_REASON).toWellFormed() }];
  }
}

/** The delimiter that the first line has most often outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ""] = text
    .replaceAll(/"[^"]*"/g, "")
    .trimStart()
    .split(/[\r\n]/, 1);
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

function columnsOf(header: readonly string[] | null, records: ParsedRows): Columns {
  if (header === null) return { handles: [[0]], note: 1, ended: -1 };
  const names = header.map(nameOf);
  const find = (is: (name: string) => boolean) => names.flatMap((name, column) => (is(name) ? [column] : []));
  const groups = [
    find((name) => HANDLES.has(name)),
    find((name) => PHONE.test(name)),
    find((name) => EMAIL.test(name)),
  ].filter((group) => group.length > 0);
  return {
    handles: groups.length === 0 ? [[fullestColumn(records)]] : groups,
    note: names.findIndex((name) => NOTES.has(name)),
    ended: names.findIndex((name) => ENDS.has(name)),
  };
}

/** The column with the most handles with + or @, which ids do not have, or else with the most of any, or the first. */
function fullestColumn(records: ParsedRows): number {
  const certain: number[] = [];
  const likely: number[] = [];
  for (const { record } of records) {
    for (const [column, cell] of record.entries()) {
      const handle = cleanHandle(cell);
      if (!isLikeHandle(handle)) continue;
      likely[column] = (likely[column] ?? 0) + 1;
      if (/[+@]/.test(handle)) certain[column] = (certain[column] ?? 0) + 1;
    }
  }
  const filled = Array.from(certain.length > 0 ? certain : likely, (count) => count ?? 0);
  return Math.max(0, filled.indexOf(Math.max(...filled)));
}

/** Marks of direction and characters of no width, which copied numbers contain. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;

/** A handle without what spreadsheets and address books add: ="+1202…", marks of direction, dashes of other widths. */
export function cleanHandle(cell: string): string {
  const [, quoted, number] = /^=(?:"(.*)"|(\+?[\d\s().-]+))$/.exec(cell.trim()) ?? [];
  const inner = quoted ?? number ?? cell;
  const plain = inner.normalize("NFKC").replaceAll(INVISIBLE, "").replaceAll(DASHES, "-");
  const written = withoutEscape(plain.replaceAll(/\s/g, " ").trim());
  return written.replace(/^(?:tel|sms|mailto):\s*/i, "").replace(/^\(\+(\d{1,3})\)/, "+$1");
}

// Exported cells that a spreadsheet would read as a formula begin with an apostrophe.
function withoutEscape(cell: string): string {
  return cell.replace(/^'(?=[=+\-@])/, "");
}
