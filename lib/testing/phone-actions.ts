import { sql } from "@/lib/platform/database/db";
import type { TestAccount } from "@/lib/testing/create-test-account";

/** The actions that lines performed on a simulated phone, except messages, in order. */
export async function listPhoneActions(
  account: TestAccount,
  handle: string,
): Promise<Record<string, unknown>[]> {
  const rows = await sql.runText<{ action: Record<string, unknown> }>({
    text: "select action from simulator_actions where account_id = $1 and handles @> array[$2] order by position",
    values: [account.ref.id, handle],
  });
  return rows.map((row) => row.action);
}
