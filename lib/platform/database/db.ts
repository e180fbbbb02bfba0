import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { arrayLiteral } from "@/lib/platform/database/array-literal";
import { DatabasePool, recordFailure } from "@/lib/platform/database/database-pool";
import { currentScope, mayWrite, recordOutcomes } from "@/lib/platform/database/database-scope";
import {
  type ParametersOf,
  type RowOf,
  type Statement,
  type StatementName,
  withoutMarks,
} from "@/lib/platform/database/statement";
import { type Topic, wake } from "@/lib/platform/database/wake";
import { env } from "@/lib/platform/env";
import { BoundedClient, boundedOptions, unresponsiveAfterMs } from "@/lib/platform/postgres/bounded-client";
import { PrismaClient } from "@/lib/platform/prisma/client";

/**
 * SQL that is composed at run time: searches with optional filters, maintenance of tables. With a name it is prepared
 * and runs on the hot pool.
 */
export interface SqlText {
  name?: string;
  text: string;
  values?: readonly unknown[];
}

type Given<Parameters> = [keyof Parameters] extends [never] ? [] : [parameters: Parameters];

/**
 * Runs statements: the pool, or a transaction. Effects take it as a parameter, so that they can't leave the
 * transaction.
 */
export interface Sql {
  /** Runs a statement with its parameters by name. Returns its rows. */
  run<Name extends StatementName>(
    statement: Statement<Name>,
    ...parameters: Given<ParametersOf<Name>>
  ): Promise<RowOf<Name>[]>;
  /** Runs text that is composed at run time. */
  runText<Row>(statement: SqlText): Promise<Row[]>;
  /**
   * Wakes a topic's readers when the write becomes visible: immediately on the pool, after the commit in a
   * transaction.
   */
  wake(topic: Topic): void;
}

interface Database {
  /** For prepared statements and transactions. Its connections have the planner settings of HOT_SESSION. */
  hot: DatabasePool;
  /** For Prisma and planned statements: lists, searches and rare maintenance. */
  cool: DatabasePool;
  /** For background work: its statements can take minutes and must not occupy connections that requests need. */
  background: DatabasePool;
  prisma: PrismaClient;
}

// Statements of requests are short, and starting parallel workers takes longer than most of them.
const SESSION = { random_page_cost: 1.1, timezone: "UTC", max_parallel_workers_per_gather: 0 };
// One generic plan per prepared statement, because planning takes longer than the statement. A plan made while a table is
// empty stays in use after it has grown, so plans must not scan tables in full: every lookup here has an index.
const HOT_SESSION = { ...SESSION, plan_cache_mode: "force_generic_plan", enable_seqscan: "off" };
const COOL_SHARE = 1 / 3;
const BACKGROUND_CONNECTIONS = 2;
const CONNECT_SHARE = 0.8;
/** With a short DATABASE_TIMEOUT_SECONDS, a busy machine would otherwise appear as an outage. */
const LEAST_CONNECT_MS = 1000;
const BACKGROUND_STATEMENT_MS = 5 * 60_000;

const shared = globalThis as typeof globalThis & { trunklineDatabase?: Database };

function database(): Database {
  shared.trunklineDatabase ??= connect();
  return shared.trunklineDatabase;
}

function connect(): Database {
  const peers = new Set<DatabasePool>();
  const { hot, cool } = poolSizes();
  const ofRequests = { boundMs: statementMs(), peers };
  const coolPool = createPool({ ...ofRequests, name: "trunkline-cool", max: cool, settings: SESSION });
  return {
    hot: createPool({ ...ofRequests, name: "trunkline", max: hot, settings: HOT_SESSION }),
    cool: coolPool,
    background: createPool({
      name: "trunkline-background",
      max: BACKGROUND_CONNECTIONS,
      boundMs: BACKGROUND_STATEMENT_MS,
      settings: SESSION,
      peers,
    }),
    prisma: new PrismaClient({ adapter: new PrismaPg(coolPool) }),
  };
}

/** The connections of DATABASE_POOL_SIZE: a third, rounded up, for the cool pool, and the rest for the hot pool. */
export function poolSizes(): { hot: number; cool: number } {
  const size = env().DATABASE_POOL_SIZE;
  const cool = Math.ceil(size * COOL_SHARE);
  return { hot: size - cool, cool };
}

interface PoolOptions {
  name: string;
  max: number;
  /** Time limit for one statement, in ms. */
  boundMs: number;
  settings: Readonly<Record<string, string | number>>;
  /** The other pools of this process. */
  peers: Set<DatabasePool>;
}

function createPool({ name, max, boundMs, settings, peers }: PoolOptions): DatabasePool {
  const url = env().DATABASE_URL;
  const bounded = boundedOptions({ url, applicationName: name, statementMs: boundMs, settings });
  // Shorter than a request's time limit, so that a request that gets no connection still responds in time.
  const connectionTimeoutMillis = Math.max(statementMs() * CONNECT_SHARE, LEAST_CONNECT_MS);
  return new DatabasePool({ ...bounded, connectionTimeoutMillis, max }, peers);
}

/** Time limit for one statement of a request, in ms. */
function statementMs(): number {
  return env().DATABASE_TIMEOUT_SECONDS * 1000;
}

/** The connections of each pool by state, and the number of statements that wait for one. Opens no connection. */
export function poolStates(): Record<string, Record<"idle" | "active" | "waiting", number>> {
  const open = shared.trunklineDatabase;
  if (open === undefined) return {};
  const stateOf = ({ idleCount, totalCount, waitingCount }: DatabasePool) => ({
    idle: idleCount,
    active: totalCount - idleCount,
    waiting: waitingCount,
  });
  return { hot: stateOf(open.hot), cool: stateOf(open.cool), background: stateOf(open.background) };
}

/** Prisma, for ordinary reads and the dashboard's writes. */
export function prisma(): PrismaClient {
  return database().prisma;
}

/** The background pool for background work, otherwise the hot or the cool pool. */
function poolFor(isHot: boolean): DatabasePool {
  const { hot, cool, background } = database();
  if (currentScope()?.isBackground === true) return background;
  return isHot ? hot : cool;
}

/** Single statements: prepared ones on the hot pool, planned ones on the cool pool. */
export const sql: Sql = {
  async run(statement, ...[parameters]) {
    return execute(poolFor(statement.isPrepared), textOf(statement, parameters));
  },
  async runText(statement) {
    return execute(poolFor(statement.name !== undefined), plain(statement));
  },
  wake,
};

interface TransactionOptions {
  /** Time limit for each statement in ms. Defaults to DATABASE_TIMEOUT_SECONDS. */
  statementMs?: number;
  /** Takes the connection from the cool pool instead of the hot pool. */
  isCool?: boolean;
}

/** Runs `work` in one transaction on one connection, by default from the hot pool. Any error rolls it back. */
export async function transaction<Result>(
  work: (tx: Sql) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  const scope = currentScope();
  const client = await poolFor(options.isCool !== true).acquire();
  const topics = new Set<Topic>();
  const silentMs = options.statementMs === undefined ? undefined : unresponsiveAfterMs(options.statementMs);
  let isWrite = false;
  try {
    await client.query("begin");
    if (options.statementMs !== undefined) {
      await client.query(`set local statement_timeout = ${Math.ceil(options.statementMs)}`);
    }
    const send = <Row>(statement: SqlText) => {
      isWrite ||= mayWrite(statement.text);
      return execute<Row>(client, statement, silentMs);
    };
    const result = await work({
      run: (statement, ...[parameters]) => send(textOf(statement, parameters)),
      runText: (statement) => send(plain(statement)),
      wake: (topic) => topics.add(topic),
    });
    await commit(client, isWrite);
    recordOutcomes(scope, isWrite, null);
    client.release();
    for (const topic of topics) wake(topic);
    return result;
  } catch (error) {
    recordFailure(error, false);
    await client.query("rollback").then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
  }
}

async function commit(client: pg.PoolClient, isWrite: boolean): Promise<void> {
  try {
    await client.query("commit");
  } catch (error) {
    recordFailure(error, isWrite);
    throw error;
  }
}

/** The application name of the connections that listen. */
export const LISTENER_NAME = "trunkline-listen";

/** A separate connection for LISTEN. Statements are limited to `statementMs`. The caller closes the connection. */
export function dedicatedClient(statementMs: number): BoundedClient {
  return new BoundedClient(
    boundedOptions({ url: env().DATABASE_URL, applicationName: LISTENER_NAME, statementMs }),
  );
}

/**
 * SQL for "the row has these keys" that PostgreSQL can only look up in an index, row by row. While a table is small, a
 * plain equality may be planned as a hash of the whole table, and a generic plan remains when it has grown.
 */
export function byKey(row: string, keys: Readonly<Record<string, string>>): string {
  return Object.entries(keys)
    .map(([column, value]) => `${row}.${column} = any(array[${value}])`)
    .join(" and ");
}

/** Closes the pools once running statements have ended. */
export async function closeDatabase(): Promise<void> {
  const open = shared.trunklineDatabase;
  shared.trunklineDatabase = undefined;
  await open?.prisma.$disconnect();
  await Promise.all([open?.hot.end(), open?.cool.end(), open?.background.end()]);
}

/** A statement with the values of its parameters in the order of their numbers. Throws if one is missing. */
export function textOf<Name extends StatementName>(
  { name, text, parameters, isPrepared }: Statement<Name>,
  given: ParametersOf<Name> | undefined,
): SqlText {
  const known: Readonly<Record<string, unknown>> = given ?? {};
  const values = parameters.map((parameter) => {
    // The types allow the parameters of any one statement of a union.
    if (!(parameter in known)) throw new Error(`${name} has no value for :${parameter}`);
    return known[parameter];
  });
  return isPrepared ? { name, text, values } : { text, values };
}

function plain(statement: SqlText): SqlText {
  return { ...statement, text: withoutMarks(statement.text) };
}

async function execute<Row>(
  on: DatabasePool | pg.PoolClient,
  statement: SqlText,
  silentMs?: number,
): Promise<Row[]> {
  const { name, text, values } = statement;
  const config = { name, text, values: values?.map(toParameter), query_timeout: silentMs };
  const result = await (on as pg.PoolClient).query(config);
  return result.rows as Row[];
}

function toParameter(value: unknown): unknown {
  return Array.isArray(value) ? (arrayLiteral(value) ?? value) : value;
}
