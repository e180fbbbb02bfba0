-- CreateIndex
CREATE INDEX "events_account_id_message_id_idx" ON "events"("account_id", "message_id") WHERE (message_id IS NOT NULL);
