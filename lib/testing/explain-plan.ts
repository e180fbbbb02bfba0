import pg from "pg";
import { sql } from "@/lib/platform/db";

interface Captured {
  text: string;
  values?: readonly unknown[];
}

/** The plans of the statements that the work sends and that begin as a query does, one text for each. */
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
  return Promise.all(captured.map(planOf));
}

function isStatement(value: unknown): value is Captured {
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";
}

async function planOf({ text, values = [] }: Captured): Promise<string> {
  const rows = await sql.query<{ "QUERY PLAN": string }>({ text: `explain ${text}`, values });
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
