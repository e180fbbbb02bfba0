-- Activity of each line, by quarter of an hour for charts and by day for totals of long ranges.
CREATE TABLE "line_activity" (
    "account_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "minutes" SMALLINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "metric" TEXT NOT NULL,
    "latency_step" SMALLINT NOT NULL DEFAULT 0,
    "count" INTEGER NOT NULL,

    CONSTRAINT "line_activity_pkey" PRIMARY KEY ("account_id", "line_id", "minutes", "at", "metric", "latency_step"),
    CONSTRAINT "line_activity_minutes_check" CHECK (minutes IN (15, 1440)),
    CONSTRAINT "line_activity_metric_check" CHECK (metric IN ('message.sent', 'message.received', 'message.delivered', 'message.failed', 'opt_out')),
    CONSTRAINT "line_activity_latency_step_check" CHECK (latency_step >= 0),
    CONSTRAINT "line_activity_count_check" CHECK (count >= 0)
);

ALTER TABLE "line_activity" ADD CONSTRAINT "line_activity_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE INDEX "line_activity_at_idx" ON "line_activity" USING brin ("at");
