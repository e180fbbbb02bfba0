import "server-only";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const LOCK_ENDPOINT = plannedStatement(
  "lock-endpoint",
  `select account_id as "accountId", target_url as "targetUrl", signing_secret as "sealedSecret",
    previous_secret_until as "previousSecretUntil"
  from webhook_subscriptions where id = :subscriptionId and deleted_at is null for no key update`,
);

/** Locks a subscription of the account until the transaction ends. Errors: those of findWebhookSubscription. */
export async function lockEndpoint(
  tx: Sql,
  ctx: Context,
  subscriptionId: string,
): Promise<RowOf<"lock-endpoint">> {
  const [row] = await tx.run(LOCK_ENDPOINT, { subscriptionId });
  if (row === undefined) fail("subscription_not_found");
  if (row.accountId !== ctx.account.id) fail("access_denied");
  return row;
}
