-- CreateIndex
CREATE INDEX "events_account_id_id_idx" ON "events"("account_id", "id") WHERE (NOT internal);

-- CreateIndex
CREATE INDEX "events_account_id_trace_id_idx" ON "events"("account_id", "trace_id") WHERE (NOT internal);

-- CreateIndex
CREATE INDEX "events_account_id_type_seq_idx" ON "events"("account_id", "type", "seq") WHERE (NOT internal);

-- CreateIndex
CREATE INDEX "events_account_id_line_id_seq_idx" ON "events"("account_id", "line_id", "seq") WHERE (NOT internal AND line_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "events_account_id_chat_id_seq_idx" ON "events"("account_id", "chat_id", "seq") WHERE (NOT internal AND chat_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "events_account_id_created_at_seq_idx" ON "events"("account_id", "created_at", "seq") WHERE (NOT internal);

-- CreateIndex
CREATE INDEX "webhook_deliveries_not_delivered_idx" ON "webhook_deliveries"("account_id", "status", "event_seq", "subscription_id") WHERE (status = 'failed' OR status = 'skipped');
