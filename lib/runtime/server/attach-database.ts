import "server-only";
import { prepareInstance } from "@/lib/runtime/server/prepare-instance";

/**
 * The instance's database for a command beside it: DATABASE_URL, or the embedded one of DATA_DIR, shared with a running
 * server or started for the while. Returns how to let go of it.
 */
export async function attachDatabase(environment: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const { postgres } = await prepareInstance(environment, { share: true });
  return async () => postgres?.stop();
}
