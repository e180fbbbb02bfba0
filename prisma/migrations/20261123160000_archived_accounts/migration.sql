-- An archived account sends nothing: its tokens are refused, its lines are stopped, its endpoints get no new events.
ALTER TABLE "accounts" ADD COLUMN "archived_at" TIMESTAMPTZ(3),
  ADD COLUMN "color" TEXT
    CONSTRAINT "accounts_color_check" CHECK ("color" IN ('blue', 'teal', 'green', 'amber', 'orange', 'red', 'pink', 'violet'));
CREATE INDEX "accounts_archived_at_idx" ON "accounts" ("archived_at") WHERE archived_at IS NOT NULL;
ALTER TABLE "lines" ADD COLUMN "is_stopped" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "webhook_subscriptions" ADD COLUMN "is_suspended" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "lines_stopped_idx" ON "lines" ("account_id", "id") WHERE is_stopped;
