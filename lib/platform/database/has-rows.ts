import "server-only";
import { createHash } from "node:crypto";
import { batched } from "@/lib/platform/database/batch";
import { sql } from "@/lib/platform/database/db";

interface Question {
  table: string;
  condition: string;
}

const ask = batched<Question, boolean>({
  runOne: async (question) => (await askAll([question]))[0] === true,
  runMany: askAll,
  keyOf: ({ table }) => table,
});

/**
 * Whether a row of the table fulfills the condition, in any account. An index must contain exactly these rows, so that
 * the answer takes one lookup. Queues ask this while nothing happens; questions at the same time share a statement.
 */
export function hasRows(table: string, condition: string): Promise<boolean> {
  return ask({ table, condition });
}

async function askAll(questions: readonly Question[]): Promise<boolean[]> {
  const tables = questions.toSorted((a, b) => (a.table < b.table ? -1 : 1));
  const answers = tables.map(
    ({ table, condition }) => `exists (select from ${table} where ${condition}) as ${table}`,
  );
  const text = `select ${answers.join(", ")}`;
  // Each set of questions has its own text. All parts of a process share the connections, so the name must follow from it.
  const name = `has-rows-${createHash("sha256").update(text).digest("base64url").slice(0, 16)}`;
  const [row] = await sql.runText<Record<string, boolean>>({ name, text });
  return questions.map(({ table }) => row?.[table] === true);
}
