-- The open notices, the most severe first.
CREATE INDEX "account_notices_severity_idx" ON "account_notices"("account_id", "severity" DESC, "id" DESC) WHERE (dismissed_at IS NULL);
