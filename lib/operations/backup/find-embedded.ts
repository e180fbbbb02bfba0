import "server-only";
import { existsSync } from "node:fs";
import path from "node:path";
import { env } from "@/lib/platform/env";
import { startEmbeddedPostgres } from "@/lib/platform/postgres/embedded-postgres";

/**
 * The running embedded server that this instance uses: the superuser's URL and the directory of its files. null when
 * the instance uses a server of its operator (DATABASE_URL).
 */
export async function findEmbedded(): Promise<{ adminUrl: string; directory: string } | null> {
  const dataDir = path.resolve(env().DATA_DIR);
  if (!existsSync(path.join(dataDir, "postgres.json"))) return null;
  const { hostname, port, password } = new URL(env().DATABASE_URL);
  if (hostname !== "127.0.0.1") return null;
  const server = await startEmbeddedPostgres({ dataDir, share: true });
  const embedded = new URL(server.url);
  const isOurs = embedded.port === port && embedded.password === password;
  // A server that this call started, because DATABASE_URL names another one, is stopped again.
  if (!isOurs) await server.stop();
  return isOurs ? { adminUrl: server.adminUrl, directory: server.directory } : null;
}
