-- Only deliveries that wait in a chat's queue have an entry.
CREATE INDEX "webhook_deliveries_queue_idx" ON "webhook_deliveries"("account_id", "subscription_id", "queue_chat_id", "event_seq") WHERE (queue_chat_id IS NOT NULL AND status = 'waiting');
