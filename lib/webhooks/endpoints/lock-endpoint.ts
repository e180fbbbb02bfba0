import "server-only";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

interface LockedEndpoint {
  targetUrl: string;
  sealedSecret: Buffer;
  previousSecretUntil: Date | null;
}

/** Locks a subscription of the account until the transaction ends. Errors: those of findWebhookSubscription. */
export async function lockEndpoint(tx: Sql, ctx: Context, subscriptionId: string): Promise<LockedEndpoint> {
  const [row] = await tx.query<LockedEndpoint & { accountId: string }>({
    text: `select account_id as "accountId", target_url as "targetUrl", signing_secret as "sealedSecret",
             previous_secret_until as "previousSecretUntil"
           from webhook_subscriptions where id = $1 and deleted_at is null for no key update`,
    values: [subscriptionId],
  });
  if (row === undefined) fail("subscription_not_found");
  if (row.accountId !== ctx.account.id) fail("access_denied");
  return row;
}
