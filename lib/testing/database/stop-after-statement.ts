import { vi } from "vitest";
import { sql } from "@/lib/platform/database/db";

/** A signal that is aborted once a statement that contains `text` has ended. */
export function stopAfterStatement(text: string): AbortSignal {
  const stopping = new AbortController();
  const query = sql.query;
  vi.spyOn(sql, "query").mockImplementation(async (statement) => {
    const rows = await query(statement);
    if (statement.text.includes(text)) stopping.abort();
    return rows;
  });
  return stopping.signal;
}
