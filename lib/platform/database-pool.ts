import "server-only";
import pg from "pg";
import { BoundedClient } from "@/lib/platform/bounded-client";
import { classifyOutage, markOutage } from "@/lib/platform/database-outage";
import { currentScope, mayWrite, noteStatements } from "@/lib/platform/database-scope";
import { log } from "@/lib/platform/log";

/**
 * A pool that survives its database: a connection that was lost or went silent is closed, never handed out again, and
 * the scope of the caller knows whether a write may have been committed (database-scope.ts).
 */
export class DatabasePool extends pg.Pool {
  readonly #idle = new Set<pg.PoolClient>();

  constructor(options: pg.PoolConfig) {
    super({ ...options, Client: BoundedClient });
    this.on("error", (error) => log.warn({ error: error.message }, "an idle database connection was lost"));
    this.on("connect", (client) => {
      // A connection may end between two statements of a transaction, when nothing else listens.
      client.on("error", () => undefined);
      client.once("silent", () => this.#dropIdle());
    });
    this.on("acquire", (client) => this.#idle.delete(client));
    this.on("remove", (client) => this.#idle.delete(client));
    this.on("release", (error, client) => {
      if (!error) this.#idle.add(client);
    });
  }

  /** One statement, outside any transaction. */
  override query(config: never): never {
    return this.#query(config) as never;
  }

  /** A connection for a transaction whose statements are not seen here: it counts as one that wrote. */
  override connect(): never {
    return this.acquire().then((client) => {
      noteStatements(currentScope(), true, null);
      return client;
    }) as never;
  }

  /** A connection for a transaction that notes by itself what it did. */
  async acquire(): Promise<pg.PoolClient> {
    try {
      return await super.connect();
    } catch (error) {
      markOutage(error, "unsent");
      noteStatements(currentScope(), false, "unsent");
      throw error;
    }
  }

  async #query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    const scope = currentScope();
    const client = await this.acquire();
    try {
      const result = await client.query(config);
      client.release();
      noteStatements(scope, mayWrite(config.text), null);
      return result;
    } catch (error) {
      client.release(error instanceof Error ? error : true);
      noteFailure(error, mayWrite(config.text));
      throw error;
    }
  }

  /** Idle connections are as old as the one that went silent: a statement on one of them would wait as long. */
  #dropIdle(): void {
    for (const client of this.#idle) {
      if (client instanceof BoundedClient) client.drop(new Error("another connection stopped responding"));
    }
  }
}

/** Marks an error of the database and notes in the scope of the caller what may have been written. */
export function noteFailure(error: unknown, isWrite: boolean): void {
  const outage = classifyOutage(error);
  if (outage === null) return;
  markOutage(error, outage);
  noteStatements(currentScope(), isWrite, outage);
}
