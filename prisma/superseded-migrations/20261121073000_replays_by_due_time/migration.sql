-- DropIndex
DROP INDEX "webhook_deliveries_released_idx";

-- CreateIndex
CREATE INDEX "webhook_deliveries_released_idx" ON "webhook_deliveries"("account_id", "replay_id", "run_at") WHERE (replay_id IS NOT NULL AND run_at IS NOT NULL);
