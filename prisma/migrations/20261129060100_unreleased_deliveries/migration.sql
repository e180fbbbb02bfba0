-- The deliveries that a replay has not released. Those that wait in a chat's queue have no entry, unlike in
-- webhook_deliveries_held_idx, which processes of earlier releases read.
CREATE INDEX "webhook_deliveries_unreleased_idx" ON "webhook_deliveries"("account_id", "replay_id", "event_seq", "id") WHERE (replay_id IS NOT NULL AND status = 'waiting' AND run_at IS NULL AND queue_chat_id IS NULL);
