-- CreateEnum
CREATE TYPE "webhook_replay_state" AS ENUM ('running', 'paused', 'done', 'canceled');

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "replay_id" UUID,
ALTER COLUMN "sequence" DROP NOT NULL;

-- AlterTable
ALTER TABLE "webhook_subscriptions" ADD COLUMN     "tested_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "webhook_replays" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "selection" JSONB NOT NULL,
    "is_bulk" BOOLEAN NOT NULL,
    "total" INTEGER NOT NULL,
    "per_second" INTEGER NOT NULL,
    "state" "webhook_replay_state" NOT NULL DEFAULT 'running',
    "reason" TEXT,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "run_at" TIMESTAMPTZ(3),
    "trace_id" TEXT NOT NULL,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_replays_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_replays_one_at_a_time" ON "webhook_replays"("account_id", "subscription_id") WHERE (is_bulk AND ended_at IS NULL);

-- CreateIndex
CREATE INDEX "webhook_replays_account_id_subscription_id_id_idx" ON "webhook_replays"("account_id", "subscription_id", "id");

-- CreateIndex
CREATE INDEX "webhook_replays_run_at_idx" ON "webhook_replays"("run_at") WHERE (run_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "webhook_deliveries_account_id_replay_id_status_idx" ON "webhook_deliveries"("account_id", "replay_id", "status") WHERE (replay_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "webhook_deliveries_held_idx" ON "webhook_deliveries"("account_id", "replay_id", "event_seq") WHERE (replay_id IS NOT NULL AND status = 'waiting' AND run_at IS NULL);

-- CreateIndex
CREATE INDEX "webhook_deliveries_released_idx" ON "webhook_deliveries"("account_id", "replay_id") WHERE (replay_id IS NOT NULL AND run_at IS NOT NULL);

-- AddForeignKey
ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "webhook_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
