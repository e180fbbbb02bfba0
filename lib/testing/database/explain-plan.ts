import pg from "pg";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { readPartitionNames } from "@/lib/testing/database/partition-names";

interface Captured {
  name?: string;
  text: string;
  values?: readonly unknown[];
}

/**
 * Returns the plans of the queries (statements that begin with SELECT or WITH) that `work` sends, one text each, with the
 * partitioned tables and their indexes in place of their partitions.
 */
export async function explainPlans(work: () => Promise<unknown>): Promise<string[]> {
  const captured: Captured[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function noted(this: pg.Client, ...args: unknown[]) {
    const [statement] = args;
    if (isStatement(statement) && /^\s*(select|with)\b/i.test(statement.text)) captured.push(statement);
    return Reflect.apply(original, this, args);
  } as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  const toWhole = await readPartitionNames();
  return (await Promise.all(captured.map(planOf))).map(toWhole);
}

function isStatement(value: unknown): value is Captured {
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";
}

async function planOf({ name, text, values = [] }: Captured): Promise<string> {
  const explain = (on: Sql) => on.runText<{ "QUERY PLAN": string }>({ text: `explain ${text}`, values });
  // Prepared statements run on the hot pool, like transactions.
  const rows = await (name === undefined ? explain(sql) : transaction(explain));
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
