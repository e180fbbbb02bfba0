-- The sweep deletes refused messages after 30 days. No row is refused yet.
CREATE INDEX "scheduled_messages_refused_at_idx" ON "scheduled_messages"("refused_at") WHERE (refused_at IS NOT NULL);
