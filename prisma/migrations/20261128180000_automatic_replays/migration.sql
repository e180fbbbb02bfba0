-- Replays that start by themselves when an endpoint answers again. Null: off, as for every subscription so far.
ALTER TABLE "webhook_subscriptions"
    ADD COLUMN "auto_replay_per_second" INTEGER,
    ADD COLUMN "auto_replay_from" TIMESTAMPTZ(3);
CREATE INDEX "webhook_subscriptions_auto_replay_idx" ON "webhook_subscriptions" ("account_id", "id")
    WHERE auto_replay_per_second IS NOT NULL AND deleted_at IS NULL;
