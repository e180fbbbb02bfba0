import "server-only";
import { stringify } from "csv-stringify/sync";
import type { CsvRow, CsvTable } from "@/lib/platform/lists/csv-table";
import type { CsvExport } from "@/lib/platform/lists/export-of";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { apiRoute, type Route } from "@/lib/runtime/http/endpoint";

// Spreadsheets read a file as UTF-8 only if it begins with this mark.
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Like `endpoint`, for a dashboard operation that returns a table as a CSV file, streamed page by page. The first page
 * is read before the response starts, so that errors are returned as errors. Cells that a spreadsheet would interpret
 * as a formula are escaped. The last line of a truncated table says that rows are missing.
 */
export function csvEndpoint<Input>({ contract, run }: CsvExport<Input>): Route {
  return apiRoute(contract, authenticateSession, async ({ ctx, input }) => {
    // The input was parsed with the contract of `run`.
    const table = await run(ctx, input as Input);
    const first = await table.pages.next();
    return {
      status: contract.status,
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="${table.filename}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-trace-id": ctx.traceId,
      },
      text: null,
      stream: toCsv(table, first),
    };
  });
}

type FirstPage = Awaited<ReturnType<CsvTable["pages"]["next"]>>;

/** The note that the table was truncated, for the last line's first cell. It does not begin like a formula. */
function truncationNote(rows: number): string {
  return `Incomplete: this file contains only the first ${rows.toLocaleString("en-US")} rows. Narrow the filters to export the rest.`;
}

function toCsv({ columns, pages }: CsvTable, first: FirstPage): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const write = (rows: CsvRow[], header: boolean) =>
    encoder.encode(stringify(rows, { header, columns: [...columns], escape_formulas: true }));
  const end = (cutAfter: number | undefined) =>
    encoder.encode(
      cutAfter === undefined
        ? ""
        : stringify([columns.map((_, at) => (at === 0 ? truncationNote(cutAfter) : ""))]),
    );

  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK));
      controller.enqueue(write(first.done ? [] : first.value, true));
      if (first.done) controller.close();
    },
    async pull(controller) {
      const page = await pages.next();
      if (!page.done) return controller.enqueue(write(page.value, false));
      controller.enqueue(end(page.value));
      controller.close();
    },
    async cancel() {
      await pages.return?.();
    },
  });
}
