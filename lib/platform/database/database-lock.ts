import "server-only";
import pg from "pg";
import { env } from "@/lib/platform/env";

/**
 * Takes a lock of the whole database on a connection of its own. PostgreSQL releases the lock with the connection when
 * the process dies, however long it was held. The lock holds no snapshot, so it does not hold back vacuum. Returns a
 * function that releases it; null when another process holds it and `wait` is false.
 */
export async function takeDatabaseLock(
  name: string,
  { wait }: { wait: boolean },
): Promise<(() => Promise<void>) | null> {
  const client = new pg.Client({
    connectionString: env().DATABASE_URL,
    application_name: "trunkline lock",
    keepAlive: true,
  });
  client.on("error", () => undefined);
  await client.connect();
  // After a long time, the connection may be gone, and the lock with it.
  const release = () => client.end().catch(() => undefined);
  try {
    await client.query("begin");
    await client.query("set local idle_in_transaction_session_timeout = 0");
    const lock = wait ? "pg_advisory_xact_lock" : "pg_try_advisory_xact_lock";
    const { rows } = await client.query<{ answer: unknown }>(
      `select ${lock}(hashtextextended($1, 0)) as answer`,
      [`trunkline ${name}`],
    );
    if (wait || rows[0]?.answer === true) return release;
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return null;
}
