-- The open notice of a chat that waits for a team.
CREATE INDEX "account_notices_of_teams_idx" ON "account_notices"("account_id", "object_id") WHERE (team_id IS NOT NULL AND dismissed_at IS NULL);
