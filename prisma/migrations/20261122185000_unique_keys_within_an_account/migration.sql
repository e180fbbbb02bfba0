-- Unique keys of a table that is distributed by the account contain the account (docs/schema.md). The provider's
-- webhook determines the account of a card.
CREATE UNIQUE INDEX "agent_payments_account_id_provider_card_ref_key" ON "agent_payments"("account_id", "provider", "card_ref")
  WHERE (card_ref IS NOT NULL);
DROP INDEX "agent_payments_provider_card_ref_key";

-- A session token has 256 random bits: the index finds its request, and no other row can have the same hash.
CREATE INDEX "payment_requests_session_hash_idx" ON "payment_requests"("session_hash");
DROP INDEX "payment_requests_session_hash_key";
