import "server-only";
import { batched } from "@/lib/platform/batch";
import { sql } from "@/lib/platform/db";

interface Question {
  table: string;
  condition: string;
}

/** The names of the statements by their text: a set of questions has one statement. */
const names = new Map<string, string>();

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
  const name = names.get(text) ?? `has-rows-${names.size + 1}`;
  names.set(text, name);
  const [row] = await sql.query<Record<string, boolean>>({ name, text });
  return questions.map(({ table }) => row?.[table] === true);
}
