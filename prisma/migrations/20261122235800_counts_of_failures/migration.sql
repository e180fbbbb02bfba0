-- Failures older than three days are counted like messages (decision 0009).
ALTER TABLE "line_days" ADD COLUMN "failed" INTEGER NOT NULL DEFAULT 0,
  DROP CONSTRAINT "line_days_counts_check",
  ADD CONSTRAINT "line_days_counts_check"
    CHECK ("sent" >= 0 AND "received" >= 0 AND "delivered" >= 0 AND "new_chats" >= 0 AND "failed" >= 0);
ALTER TABLE "accounts" ADD COLUMN "failures_to" UUID;
