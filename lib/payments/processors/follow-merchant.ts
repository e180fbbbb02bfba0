import "server-only";
import { processorOf } from "@/lib/adapters/processors/registry";
import { storeLatest } from "@/lib/adapters/store-latest";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { callProcessor } from "@/lib/payments/processors/call-processor";
import { sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";

/**
 * Asks a processor whether a merchant may charge through Trunkline, and stores the result in every account that uses
 * the merchant. Errors: those of `callProcessor`.
 */
export async function followMerchant(name: string, merchantId: string): Promise<void> {
  const { connect } = processorOf(name);
  const [connected] = await sql.query({
    text: "select 1 from processor_connections where processor = $1 and merchant_id = $2 limit 1",
    values: [name, merchantId],
  });
  if (connect === undefined || connected === undefined) return;
  await storeLatest(
    () => callProcessor(connect.canCharge(merchantId)),
    (canCharge) => storeCharging(name, merchantId, canCharge),
  );
}

/** Returns whether an account's stored result changed. */
async function storeCharging(name: string, merchantId: string, canCharge: boolean): Promise<boolean> {
  const at = now();
  return transaction(async (tx) => {
    const moved = await tx.query<{ accountId: string; partnerId: string }>({
      text: `update processor_connections c set can_charge = $3, updated_at = $4 from accounts a
             where c.processor = $1 and c.merchant_id = $2 and a.id = c.account_id and c.can_charge <> $3
             returning a.id as "accountId", a.partner_id as "partnerId"`,
      values: [name, merchantId, canCharge, at],
    });
    const action = canCharge ? "processor.ready" : "processor.restricted";
    const detail = { processor: name, merchant_id: merchantId };
    for (const { accountId, partnerId } of moved) {
      await recordSystemAudit(tx, { partnerId, accountId, at }, action, "account", accountId, detail);
    }
    return moved.length > 0;
  });
}
