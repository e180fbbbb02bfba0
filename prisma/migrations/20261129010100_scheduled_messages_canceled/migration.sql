-- The sweep deletes canceled messages after 30 days, and the request log stores no body of one. Few rows are canceled.
CREATE INDEX "scheduled_messages_canceled_at_idx" ON "scheduled_messages"("canceled_at") WHERE (canceled_at IS NOT NULL);
