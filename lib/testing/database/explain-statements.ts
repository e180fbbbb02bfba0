import pg from "pg";
import { z } from "zod";
import { sql, transaction } from "@/lib/platform/database/db";
import { readPartitionNames } from "@/lib/testing/database/partition-names";
import { recordStatements, type SentStatement } from "@/lib/testing/database/record-statements";

/** A scan of a table in an executed plan, with the number of rows it read. */
export interface Scan {
  node: string;
  /** The scanned table, also for its partitions; for a bitmap index scan, the index. */
  on: string;
  rows: number;
  /** The pages of 8 kB that it read, in memory or from disk. */
  pages: number;
}

/**
 * Returns every scan of the statements that `work` sends. Prepared statements run with a generic plan, as in the
 * application.
 */
export async function explainStatements(work: () => Promise<unknown>): Promise<Scan[]> {
  const sent = (await recordStatements(work)).filter(({ text }) => /^\s*(with|select|update)/i.test(text));
  const scans = [];
  for (const statement of sent) scans.push(...(await explain(statement)));
  const toWhole = await readPartitionNames();
  return scans.map((scan) => ({ ...scan, on: toWhole(scan.on) }));
}

async function explain({ name, text, values }: SentStatement): Promise<Scan[]> {
  if (name === undefined) {
    return toScans(
      await sql.runText<Explained>({ text: `explain (analyze, buffers, format json) ${text}`, values }),
    );
  }
  return transaction(async (tx) => {
    await tx.runText({ text: `prepare explained as ${text}` });
    const given = values.length === 0 ? "" : `(${values.map(literal).join(", ")})`;
    const rows = await tx.runText<Explained>({
      text: `explain (analyze, buffers, format json) execute explained${given}`,
    });
    await tx.runText({ text: "deallocate explained" });
    return toScans(rows);
  });
}

interface Explained {
  "QUERY PLAN": unknown;
}

function toScans([row]: readonly Explained[]): Scan[] {
  const [plan] = z.array(z.object({ Plan })).parse(row?.["QUERY PLAN"]);
  return plan === undefined ? [] : scansOf(plan.Plan);
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (Array.isArray(value))
    return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(",")}}`);
  return pg.escapeLiteral(String(value));
}

const Plan = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Name": z.string().optional(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().default(0),
  "Rows Removed by Index Recheck": z.number().default(0),
  "Shared Hit Blocks": z.number().default(0),
  "Shared Read Blocks": z.number().default(0),
  get Plans() {
    return z.array(Plan).default([]);
  },
});

function scansOf(plan: z.infer<typeof Plan>): Scan[] {
  const on = plan["Relation Name"] ?? plan["Index Name"];
  const each = plan["Actual Rows"] + plan["Rows Removed by Filter"] + plan["Rows Removed by Index Recheck"];
  const pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  const own =
    on === undefined ? [] : [{ node: plan["Node Type"], on, rows: each * plan["Actual Loops"], pages }];
  return [...own, ...plan.Plans.flatMap(scansOf)];
}
