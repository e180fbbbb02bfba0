import "server-only";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type CsvError, parse } from "csv-parse";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";
import { type NumberedMapping, storeV2Chats } from "@/lib/runtime/v2/store-v2-chats";
import { parseV2ChatRow } from "@/lib/runtime/v2/v2-chat-row";

const BATCH_ROWS = 500;
const ERRORS_SHOWN = 100;
const MAX_ROW_BYTES = 16 * 1024;
const BODY_LIMIT_BYTES = 16 * 1024 * 1024;

const ImportResult = z.object({
  imported: z.int(),
  failed: z.int(),
  /** The first 100 errors. */
  errors: z.array(z.object({ line: z.int(), message: z.string() })),
});

type ImportResult = z.infer<typeof ImportResult>;

export const ImportV2Chats = contract({
  summary: "Import V2 chat IDs",
  tag: "V2",
  right: "manage_account",
  body: z.object({
    csv: z.string().meta({
      description: "CSV with the header v2_chat_id,v3_chat_id,line,handles. Columns can be omitted",
    }),
  }),
  bodyLimitBytes: BODY_LIMIT_BYTES,
  returns: ImportResult,
  status: 200,
  errors: ["field_missing", "parameter_invalid", "access_denied"],
});

/** A parsed row with the number of its last line. */
interface Row {
  record: unknown;
  info: { lines: number };
}

/** Like `importV2Chats`, for a string. Errors: access_denied, parameter_invalid. */
export function importV2ChatsFromText(ctx: Context, { body }: Input<typeof ImportV2Chats>) {
  return importV2Chats(ctx, Readable.from([body.csv]));
}

/**
 * Reads an id map from a stream. Valid rows are stored in batches, invalid rows are reported with their line numbers.
 * Importing the same file again changes nothing. Errors: access_denied, parameter_invalid (no header with v2_chat_id).
 */
export async function importV2Chats(ctx: Context, csv: Readable): Promise<ImportResult> {
  const result: ImportResult = { imported: 0, failed: 0, errors: [] };
  let batch: NumberedMapping[] = [];
  const flush = async () => {
    const rows = batch;
    batch = [];
    const { stored, refused } = await storeV2Chats(ctx, rows);
    result.imported += stored;
    for (const { line, message } of refused) note(result, line, message);
  };

  try {
    await pipeline(csv, parser(), async (rows: AsyncIterable<Row>) => {
      for await (const { record, info } of rows) {
        const mapping = parseV2ChatRow(record);
        if ("wrong" in mapping) note(result, info.lines, mapping.wrong);
        else batch.push({ line: info.lines, mapping });
        if (batch.length >= BATCH_ROWS) await flush();
      }
    });
  } catch (error) {
    recordBrokenFile(result, error);
  }
  await flush();
  result.errors.sort((one, other) => one.line - other.line);
  return result;
}

function parser() {
  return parse({
    bom: true,
    columns: columnsOf,
    info: true,
    max_record_size: MAX_ROW_BYTES,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
}

function columnsOf(header: string[]): string[] {
  const names = header.map((name) => name.toLowerCase());
  if (names.includes("v2_chat_id")) return names;
  return fail(
    "parameter_invalid",
    "the first row must contain the column names: v2_chat_id,v3_chat_id,line,handles",
  );
}

function note(result: ImportResult, line: number, message: string): void {
  result.failed++;
  if (result.errors.length < ERRORS_SHOWN) result.errors.push({ line, message });
}

// After an unbalanced quote, rows can no longer be separated. Rows stored before it stay; importing them again is
// harmless.
function recordBrokenFile(result: ImportResult, error: unknown): void {
  if (!isCsvError(error)) throw error;
  note(
    result,
    Number(error.lines ?? 1),
    `the file can't be read beyond this row: correct the row and import the file again: ${error.message}`,
  );
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");
}
