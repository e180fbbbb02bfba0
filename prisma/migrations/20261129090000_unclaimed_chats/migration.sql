-- The view of the open chats that neither a person nor a team looks after.
CREATE INDEX "chats_unclaimed_idx" ON "chats"("account_id", "last_activity_at" DESC, "id" DESC) WHERE (inbox_state = 'open' AND assigned_to IS NULL AND team_id IS NULL);
