-- CreateIndex
CREATE INDEX "events_action_failed_idx" ON "events"("account_id", "chat_id", "seq") WHERE (type = 'chat.action_failed');
