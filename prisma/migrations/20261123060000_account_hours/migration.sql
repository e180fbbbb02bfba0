-- Home reads hourly counts of the whole account, with a histogram of the time to delivered (decision 0017).
CREATE TABLE "account_hours" (
  "account_id" UUID NOT NULL,
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "metric" TEXT NOT NULL,
  "latency_step" SMALLINT NOT NULL DEFAULT 0,
  "count" INTEGER NOT NULL,
  CONSTRAINT "account_hours_pkey" PRIMARY KEY ("account_id", "hour", "metric", "latency_step"),
  CONSTRAINT "account_hours_count_check" CHECK ("count" >= 0),
  CONSTRAINT "account_hours_latency_step_check" CHECK ("latency_step" >= 0),
  CONSTRAINT "account_hours_metric_check" CHECK ("metric" IN ('message.sent', 'message.received', 'message.delivered',
    'message.failed', 'payment.succeeded', 'payment.declined', 'opt_out')),
  CONSTRAINT "account_hours_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE NO ACTION
);
ALTER TABLE "accounts" ADD COLUMN "activity_to" BIGINT, ADD COLUMN "opt_outs_to" UUID;
