import "server-only";
import type { Merchant, Processor } from "@/lib/adapters/processors/processor";
import { processorOf, SANDBOX_PROCESSOR } from "@/lib/adapters/processors/registry";
import type { AccountRef } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

type ConnectionRow = RowOf<"find-processor-connection">;

/**
 * Returns the merchant of the account's payments. A sandbox account without a connected processor uses the sandbox
 * processor; a production account never does. Errors: feature_not_available until a connected account can charge, and
 * while the instance's key is of the other mode.
 */
export async function findMerchant(
  account: AccountRef,
): Promise<{ processor: Processor; merchant: Merchant }> {
  const connection = await findConnection(account.id);
  if (connection === null && account.type === "sandbox") {
    const merchant = { accountId: account.id, merchantId: account.id };
    return { processor: processorOf(SANDBOX_PROCESSOR), merchant };
  }
  if (connection === null) {
    return fail(
      "feature_not_available",
      "connect a card processor in the dashboard's payment settings first",
    );
  }
  if (!connection.canCharge) {
    fail(
      "feature_not_available",
      "the connected processor account can't accept charges yet: complete its onboarding",
    );
  }
  const processor = processorOf(connection.processor);
  const refusal = processor.refusal(account.type);
  if (refusal !== null) fail("feature_not_available", refusal);
  return { processor, merchant: { accountId: account.id, merchantId: connection.merchantId } };
}

const FIND_PROCESSOR_CONNECTION = statement(
  "find-processor-connection",
  `select processor, merchant_id as "merchantId", can_charge as "canCharge"
  from processor_connections where account_id = :accountId`,
);

/** Returns the account's connection to a processor, or null when there is none. */
export async function findConnection(accountId: string): Promise<ConnectionRow | null> {
  const [row] = await sql.run(FIND_PROCESSOR_CONNECTION, { accountId });
  return row ?? null;
}
