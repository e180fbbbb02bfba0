-- Tells an unknown id from one of another account. In a migration of its own, with few rows.
CREATE INDEX "scheduled_messages_id_idx" ON "scheduled_messages"("id");
