-- Only the delivery of a chat's queue whose turn it is has an entry.
CREATE INDEX "webhook_deliveries_turn_idx" ON "webhook_deliveries"("account_id", "subscription_id", "queue_chat_id") WHERE (queue_chat_id IS NOT NULL AND status = 'waiting' AND (run_at IS NOT NULL OR stopped_at IS NOT NULL));
