CREATE INDEX "chats_unassigned_idx" ON "chats"("account_id", "last_activity_at" DESC, "id" DESC) WHERE (inbox_state = 'open' AND assigned_to IS NULL);
