CREATE INDEX "chats_put_away_idx" ON "chats"("account_id", "inbox_state", "last_activity_at" DESC, "id" DESC) WHERE (inbox_state = 'snoozed' OR inbox_state = 'closed');
