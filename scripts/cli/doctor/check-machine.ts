import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import { type Check, runCheck } from "@/scripts/cli/doctor/check";

const CONNECT_MS = 4000;
const LEAST_VERSION = 150_000;
const BYTES_PER_MB = 1024 * 1024;
const DEFAULT_RESERVE_MB = 512;

/** Whether this machine's DATABASE_URL accepts connections and is PostgreSQL 15 or newer. */
export function checkDatabase(): Promise<Check> {
  return runCheck("database", async () => {
    const { DATABASE_URL } = process.env;
    if (!DATABASE_URL) return { status: "skip", detail: "DATABASE_URL is not set on this machine" };
    // Other commands start without it.
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: DATABASE_URL, connectionTimeoutMillis: CONNECT_MS });
    try {
      await client.connect();
      const { rows } = await client.query<{ number: number; version: string; size: string }>(
        `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
           pg_size_pretty(pg_database_size(current_database())) as size`,
      );
      const [{ number = 0, version = "", size = "" } = {}] = rows;
      const detail = `PostgreSQL ${version}, ${size}`;
      if (number >= LEAST_VERSION) return { status: "ok", detail };
      return { status: "fail", detail: `${detail}. Trunkline requires PostgreSQL 15 or newer.` };
    } catch (error) {
      return { status: "fail", detail: error instanceof Error ? error.message || error.name : String(error) };
    } finally {
      await client.end().catch(() => undefined);
    }
  });
}

/** Whether the disk of this machine's data directory has more free space than the reserve. */
export function checkDisk(): Promise<Check> {
  return runCheck("disk", async () => {
    const directory = path.resolve(process.env.DATA_DIR || ".data");
    if (!existsSync(directory))
      return { status: "skip", detail: `${directory} does not exist on this machine` };
    const { bavail, bsize } = await statfs(directory);
    const freeMb = Math.floor((bavail * bsize) / BYTES_PER_MB);
    const reserveMb = Number(process.env.DISK_RESERVE_MB ?? DEFAULT_RESERVE_MB);
    const detail = `${freeMb} MB free for ${directory}`;
    if (freeMb >= reserveMb) return { status: "ok", detail };
    return {
      status: "fail",
      detail: `${detail}, less than DISK_RESERVE_MB (${reserveMb}). Uploads fail: free space.`,
    };
  });
}
