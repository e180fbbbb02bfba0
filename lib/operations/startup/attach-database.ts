import "server-only";
import { prepareInstance } from "@/lib/operations/startup/prepare-instance";

/**
 * Connects a command-line script to the instance's database: DATABASE_URL, or the embedded one of DATA_DIR, shared with
 * a running server or started temporarily. Returns a function that disconnects.
 */
export async function attachDatabase(environment: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const { postgres } = await prepareInstance(environment, { share: true });
  return async () => postgres?.stop();
}
