import "server-only";
import pg from "pg";
import { classifyOutage, markOutage } from "@/lib/platform/database/database-outage";
import {
  currentScope,
  type DatabaseScope,
  mayWrite,
  recordOutcomes,
} from "@/lib/platform/database/database-scope";
import { DEADLOCK, hasSqlState } from "@/lib/platform/database/has-sql-state";
import { BoundedClient } from "@/lib/platform/postgres/bounded-client";
import { log } from "@/lib/platform/telemetry/log";

/** How often one statement can run again after deadlocks. The others of a deadlock go on, so once is nearly always enough. */
const MAX_DEADLOCKS = 5;
/** Event streams go on for longer than an outage, so they ask again. */
const HOPELESS_MS = 5000;

/**
 * A pool that survives an outage of its database. A lost or unresponsive connection is closed and never reused, and
 * the caller's scope records whether a write may have been committed (database-scope.ts).
 */
export class DatabasePool extends pg.Pool {
  readonly #idle = new Set<pg.PoolClient>();

  /** `peers` are the pools of the same database: when a connection of one goes silent, all close their idle ones. */
  constructor(options: pg.PoolConfig, peers = new Set<DatabasePool>()) {
    super({ ...options, Client: BoundedClient });
    peers.add(this);
    this.on("error", (error) => log.warn({ error: error.message }, "an idle database connection was lost"));
    this.on("connect", (client) => {
      client.once("silent", () => {
        for (const pool of peers) pool.#dropIdle();
      });
    });
    this.on("acquire", (client) => this.#idle.delete(client));
    this.on("remove", (client) => this.#idle.delete(client));
    this.on("release", (error, client) => {
      if (!error) this.#idle.add(client);
    });
  }

  /**
   * One statement, outside any transaction. Runs again after a deadlock, because PostgreSQL rolled it back. Statements that
   * lock a row and then update it can deadlock although they lock in the same order: foreign keys share the row's lock, and
   * then the update waits for the next in line, who waits for its lock.
   */
  override query(config: never): never {
    return this.#query(config) as never;
  }

  /** A connection for a transaction whose statements the pool does not see. It counts as a write. */
  override connect(): never {
    return this.acquire().then((client) => {
      recordOutcomes(currentScope(), true, null);
      return client;
    }) as never;
  }

  /** A connection for a transaction that records its own effects. */
  async acquire(): Promise<pg.PoolClient> {
    requireHope(currentScope());
    try {
      return await super.connect();
    } catch (error) {
      markOutage(error, "unsent");
      recordOutcomes(currentScope(), false, "unsent");
      throw error;
    }
  }

  async #query(config: pg.QueryConfig, deadlocks = 0): Promise<pg.QueryResult> {
    const scope = currentScope();
    const client = await this.acquire();
    try {
      const result = await client.query(config);
      client.release();
      recordOutcomes(scope, mayWrite(config.text), null);
      return result;
    } catch (error) {
      client.release(error instanceof Error ? error : true);
      if (hasSqlState(error, DEADLOCK) && deadlocks < MAX_DEADLOCKS)
        return this.#query(config, deadlocks + 1);
      recordFailure(error, mayWrite(config.text));
      throw error;
    }
  }

  /** Idle connections are as old as the unresponsive one, so a statement on one of them would wait as long. */
  #dropIdle(): void {
    for (const client of this.#idle) {
      if (client instanceof BoundedClient) client.drop("another connection stopped responding");
    }
  }
}

/**
 * A request that got no connection in time gets none a moment later. Its next statements fail at once, so that it waits
 * for the database once and not once per statement.
 */
function requireHope(scope: DatabaseScope | undefined): void {
  if (scope?.noConnectionAt === undefined || scope.isBackground) return;
  if (performance.now() - scope.noConnectionAt > HOPELESS_MS) return;
  const error = new Error("the database gave this request no connection");
  markOutage(error, "unsent");
  throw error;
}

/** Marks an error of the database and records in the caller's scope what may have been written. */
export function recordFailure(error: unknown, isWrite: boolean): void {
  const outage = classifyOutage(error);
  if (outage === null) return;
  markOutage(error, outage);
  recordOutcomes(currentScope(), isWrite, outage);
}
