-- Alerts of the operator: opened once, closed once, with a notification for each that a worker sends.
CREATE TABLE "operator_watch" (
  "id" INTEGER NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "looked_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "operator_watch_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "operator_watch_id_check" CHECK ("id" = 1)
);
CREATE TABLE "operator_alerts" (
  "id" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "severity" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "path" TEXT,
  "account_name" TEXT,
  "environment" TEXT,
  "opened_at" TIMESTAMPTZ(3) NOT NULL,
  "calm_since" TIMESTAMPTZ(3),
  "closed_at" TIMESTAMPTZ(3),
  CONSTRAINT "operator_alerts_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "operator_alerts_type_check" CHECK ("type" IN ('line_flagged', 'endpoint_disabled', 'queue_old', 'backup_old', 'disk_low')),
  CONSTRAINT "operator_alerts_severity_check" CHECK ("severity" IN ('warning', 'critical'))
);
CREATE UNIQUE INDEX "operator_alerts_open_key" ON "operator_alerts" ("key") WHERE "closed_at" IS NULL;
CREATE INDEX "operator_alerts_closed_at_idx" ON "operator_alerts" ("closed_at" DESC) WHERE "closed_at" IS NOT NULL;

CREATE TABLE "operator_notifications" (
  "id" UUID NOT NULL,
  "alert_id" UUID NOT NULL,
  "type" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "due_at" TIMESTAMPTZ(3),
  "leased_until" TIMESTAMPTZ(3),
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "last_error" TEXT,
  "sent_at" TIMESTAMPTZ(3),
  CONSTRAINT "operator_notifications_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "operator_notifications_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "operator_alerts" ("id") ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT "operator_notifications_type_check" CHECK ("type" IN ('opened', 'closed')),
  CONSTRAINT "operator_notifications_attempts_check" CHECK ("attempts" >= 0)
);
-- Once per alert and type, whatever processes do at the same time.
CREATE UNIQUE INDEX "operator_notifications_alert_id_type_key" ON "operator_notifications" ("alert_id", "type");
CREATE INDEX "operator_notifications_due_at_idx" ON "operator_notifications" ("due_at") WHERE "due_at" IS NOT NULL;

-- The conditions of alerts are read every few seconds.
CREATE INDEX "lines_flagged_idx" ON "lines" ("account_id", "id") WHERE "status" = 'FLAGGED' AND "released_at" IS NULL;
CREATE INDEX "webhook_subscriptions_disabled_idx" ON "webhook_subscriptions" ("account_id", "id") WHERE "disabled_at" IS NOT NULL AND "deleted_at" IS NULL;
