import { vi } from "vitest";
import { sql } from "@/lib/platform/database/db";

/** A signal that is aborted once a statement that contains `text` has ended. */
export function stopAfterStatement(text: string): AbortSignal {
  const stopping = new AbortController();
  const { run, runText } = sql;
  vi.spyOn(sql, "run").mockImplementation(async (statement, ...parameters) => {
    const rows = await run(statement, ...parameters);
    if (statement.text.includes(text)) stopping.abort();
    return rows;
  });
  vi.spyOn(sql, "runText").mockImplementation(async (statement) => {
    const rows = await runText(statement);
    if (statement.text.includes(text)) stopping.abort();
    return rows;
  });
  return stopping.signal;
}
