import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";

/** Reads from Trunkline's storage. Errors: download_failed when the read fails; the log contains the cause. */
export async function readStore<Found>(accountId: string, read: () => Promise<Found>): Promise<Found> {
  if (await failsToRead(accountId)) {
    fail("download_failed", "the account's simulated file storage is set to fail");
  }
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    log.error({ err: error, accountId }, "a stored file could not be read");
    return fail("download_failed", "retry in a few seconds");
  }
}

const SIMULATOR_DOWNLOADS_FAIL = statement(
  "simulator-downloads-fail",
  "select downloads_fail from simulator_accounts where account_id = :accountId",
);

// Only a sandbox can enable this failure (/simulator/files). Other accounts have no row.
async function failsToRead(accountId: string): Promise<boolean> {
  const [row] = await sql.run(SIMULATOR_DOWNLOADS_FAIL, { accountId });
  return row?.downloads_fail === true;
}
