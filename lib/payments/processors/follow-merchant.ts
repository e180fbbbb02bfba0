import "server-only";
import { processorOf } from "@/lib/adapters/processors/registry";
import { storeLatest } from "@/lib/adapters/store-latest";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { callProcessor } from "@/lib/payments/processors/call-processor";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const IS_MERCHANT_CONNECTED = plannedStatement(
  "is-merchant-connected",
  "select 1 from processor_connections where processor = :processor and merchant_id = :merchantId limit 1",
);

/**
 * Asks a processor whether a merchant may charge through Trunkline, and stores the result in every account that uses
 * the merchant. Errors: those of `callProcessor`.
 */
export async function followMerchant(name: string, merchantId: string): Promise<void> {
  const { connect } = processorOf(name);
  const [connected] = await sql.run(IS_MERCHANT_CONNECTED, { processor: name, merchantId });
  if (connect === undefined || connected === undefined) return;
  await storeLatest(
    () => callProcessor(connect.canCharge(merchantId)),
    (canCharge) => storeCharging(name, merchantId, canCharge),
  );
}

const SET_MERCHANT_CAN_CHARGE = plannedStatement(
  "set-merchant-can-charge",
  `update processor_connections c set can_charge = :canCharge, updated_at = :updatedAt from accounts a
  where c.processor = :processor and c.merchant_id = :merchantId and a.id = c.account_id and c.can_charge <> :canCharge
  returning a.id as "accountId", a.partner_id as "partnerId"`,
);

/** Returns whether an account's stored result changed. */
async function storeCharging(name: string, merchantId: string, canCharge: boolean): Promise<boolean> {
  const at = now();
  return transaction(async (tx) => {
    const moved = await tx.run(SET_MERCHANT_CAN_CHARGE, {
      processor: name,
      merchantId,
      canCharge,
      updatedAt: at,
    });
    const action = canCharge ? "processor.ready" : "processor.restricted";
    const detail = { processor: name, merchant_id: merchantId };
    for (const { accountId, partnerId } of moved) {
      await recordSystemAudit(tx, { partnerId, accountId, at }, action, "account", accountId, detail);
    }
    return moved.length > 0;
  });
}
