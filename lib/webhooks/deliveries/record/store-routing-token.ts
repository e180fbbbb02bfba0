import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { ClaimedDelivery } from "@/lib/webhooks/deliveries/claim/claim-deliveries";

const LEARN_ROUTING_TOKEN = statement(
  "learn-routing-token",
  `insert into webhook_routing_tokens as known (account_id, subscription_id, chat_id, token, learned_at)
  select account_id, id, :chatId, :token, :at from webhook_subscriptions
  where account_id = :accountId and id = :subscriptionId and routing_key_header = :keyHeader and deleted_at is null
  on conflict (account_id, subscription_id, chat_id) do update
  set token = excluded.token, learned_at = excluded.learned_at where known.learned_at <= excluded.learned_at`,
);

/**
 * Stores the routing token that a receiver returned for a chat, for the chat's next deliveries. Writes nothing when the
 * token is the one that was sent, or when the subscription's routing header has changed since.
 */
export async function storeRoutingToken(
  { accountId, subscription, routing }: ClaimedDelivery,
  token: string | null,
  at: Date,
): Promise<void> {
  if (routing === null || token === null || token === routing.token) return;
  await sql.run(LEARN_ROUTING_TOKEN, {
    accountId,
    subscriptionId: subscription.id,
    chatId: routing.chatId,
    token,
    at,
    keyHeader: routing.keyHeader,
  });
}
