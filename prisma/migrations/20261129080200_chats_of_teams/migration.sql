-- The chats of a team in every state, for the filter and for a team's deletion.
CREATE INDEX "chats_team_idx" ON "chats"("account_id", "team_id", "last_activity_at" DESC, "id" DESC) WHERE (team_id IS NOT NULL);
