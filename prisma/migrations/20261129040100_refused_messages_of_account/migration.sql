-- The dashboard lists the refused messages of an account, the newest first. No row is refused yet.
CREATE INDEX "scheduled_messages_account_id_refused_at_position_idx" ON "scheduled_messages"("account_id", "refused_at", "position") WHERE (refused_at IS NOT NULL);
