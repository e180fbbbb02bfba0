import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { arrayLiteral } from "@/lib/platform/array-literal";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { PrismaClient } from "@/lib/platform/prisma/client";
import { type Topic, wake } from "@/lib/platform/wake";

/** One SQL statement. Hot statements have a name: an unnamed one costs 1.8 times as much (docs/decisions/0006). */
export interface Statement {
  name?: string;
  text: string;
  values?: readonly unknown[];
}

/** Anything that runs a statement: the pool, or a transaction. Effects take one, so they cannot leave it. */
export interface Sql {
  query<Row>(statement: Statement): Promise<Row[]>;
  /** Wakes a topic's readers once what was written can be seen: at once on the pool, after commit in a transaction. */
  wake(topic: Topic): void;
}

interface Database {
  pool: pg.Pool;
  prisma: PrismaClient;
}

// One generic plan per named statement: planning anew costs more than the statement. It may be made while a table is
// empty and live until it has grown, so it must not lean on the table being small: every look-up here has an index.
const PLANNING = [
  "plan_cache_mode=force_generic_plan",
  "enable_seqscan=off",
  "random_page_cost=1.1",
  "timezone=UTC",
];

const shared = globalThis as typeof globalThis & { trunklineDatabase?: Database };

function database(): Database {
  shared.trunklineDatabase ??= connect();
  return shared.trunklineDatabase;
}

function connect(): Database {
  const pool = new pg.Pool({
    connectionString: env().DATABASE_URL,
    max: env().DATABASE_POOL_SIZE,
    options: PLANNING.map((setting) => `-c ${setting}`).join(" "),
    application_name: "trunkline",
  });
  pool.on("error", (error) => log.warn({ error: error.message }, "an idle database connection was lost"));
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }) };
}

/** Prisma, for ordinary reads and the dashboard's writes. */
export function prisma(): PrismaClient {
  return database().prisma;
}

/** The pool, for single hot statements. */
export const sql: Sql = {
  async query<Row>(statement: Statement): Promise<Row[]> {
    return run<Row>(database().pool, statement);
  },
  wake,
};

/** Runs `work` in one transaction; anything thrown rolls it back. */
export async function transaction<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result> {
  const client = await database().pool.connect();
  const topics = new Set<Topic>();
  try {
    await client.query("begin");
    const result = await work({
      query: (statement) => run(client, statement),
      wake: (topic) => topics.add(topic),
    });
    await client.query("commit");
    client.release();
    for (const topic of topics) wake(topic);
    return result;
  } catch (error) {
    await client.query("rollback").then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
  }
}

/** A connection of its own, for LISTEN and advisory locks. The caller ends it. */
export function dedicatedClient(): pg.Client {
  return new pg.Client({ connectionString: env().DATABASE_URL, application_name: "trunkline-listen" });
}

/**
 * SQL for "the row has these keys" that PostgreSQL can only look up in an index, row by row. A plain equality may be
 * planned as a hash of the whole table while that is small, and a generic plan stays when it has grown.
 */
export function byKey(row: string, keys: Readonly<Record<string, string>>): string {
  return Object.entries(keys)
    .map(([column, value]) => `${row}.${column} = any(array[${value}])`)
    .join(" and ");
}

/** Closes the pool once running statements have ended. */
export async function closeDatabase(): Promise<void> {
  const open = shared.trunklineDatabase;
  shared.trunklineDatabase = undefined;
  await open?.prisma.$disconnect();
  await open?.pool.end();
}

async function run<Row>(on: pg.Pool | pg.PoolClient, statement: Statement): Promise<Row[]> {
  const { name, text, values } = statement;
  const result = await on.query({ name, text, values: values?.map(toParameter) });
  return result.rows as Row[];
}

function toParameter(value: unknown): unknown {
  return Array.isArray(value) ? (arrayLiteral(value) ?? value) : value;
}
