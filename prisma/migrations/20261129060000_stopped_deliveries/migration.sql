-- The deliveries that stopped their chats, in the order of the log, for lists and notices.
CREATE INDEX "webhook_deliveries_stopped_idx" ON "webhook_deliveries"("account_id", "event_seq", "subscription_id") WHERE (queue_chat_id IS NOT NULL AND status = 'waiting' AND run_at IS NULL AND stopped_at IS NOT NULL);
