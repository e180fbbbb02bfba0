-- The view of the chats of my teams.
CREATE INDEX "chats_team_open_idx" ON "chats"("account_id", "team_id", "last_activity_at" DESC, "id" DESC) WHERE ((inbox_state IS NULL OR inbox_state = 'open') AND team_id IS NOT NULL);
