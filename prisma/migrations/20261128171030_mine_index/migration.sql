CREATE INDEX "chats_mine_idx" ON "chats"("account_id", "assigned_to", "last_activity_at" DESC, "id" DESC) WHERE ((inbox_state IS NULL OR inbox_state = 'open') AND assigned_to IS NOT NULL);
