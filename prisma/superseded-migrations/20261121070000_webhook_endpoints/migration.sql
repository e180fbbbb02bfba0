-- CreateEnum
CREATE TYPE "webhook_disabled_reason" AS ENUM ('manual', 'gone', 'failing');

-- CreateEnum
CREATE TYPE "notice_severity" AS ENUM ('info', 'warning', 'critical');

-- AlterTable
ALTER TABLE "webhook_subscriptions" ADD COLUMN     "disabled_at" TIMESTAMPTZ(3),
ADD COLUMN     "disabled_reason" "webhook_disabled_reason",
ADD COLUMN     "failing_since" TIMESTAMPTZ(3),
ADD COLUMN     "judged_from" TIMESTAMPTZ(3),
ADD COLUMN     "previous_secret" BYTEA,
ADD COLUMN     "previous_secret_until" TIMESTAMPTZ(3),
ADD COLUMN     "previous_signs_legacy" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "rate_free_at" TIMESTAMPTZ(6),
ADD COLUMN     "rate_limit" INTEGER,
ADD COLUMN     "secret_rotated_at" TIMESTAMPTZ(3),
ADD COLUMN     "warned_percent" SMALLINT NOT NULL DEFAULT 0;

-- What was inactive before was paused by hand.
UPDATE "webhook_subscriptions" SET "disabled_reason" = 'manual', "disabled_at" = "updated_at"
WHERE NOT "is_active" AND "deleted_at" IS NULL;

-- CreateTable
CREATE TABLE "webhook_sequences" (
    "account_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "webhook_sequences_pkey" PRIMARY KEY ("account_id","subscription_id","chat_id")
);

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "sequence" BIGINT,
ADD COLUMN     "waited_ms" INTEGER NOT NULL DEFAULT 0;

-- Earlier deliveries get the numbers they would have got: one per event, in the order of the log.
WITH numbered AS (
    SELECT d."account_id", d."id",
        dense_rank() OVER (PARTITION BY d."account_id", d."subscription_id", e."chat_id" ORDER BY d."event_seq") AS "sequence"
    FROM "webhook_deliveries" d
    LEFT JOIN "events" e ON e."account_id" = d."account_id" AND e."seq" = d."event_seq"
)
UPDATE "webhook_deliveries" d SET "sequence" = n."sequence"
FROM numbered n WHERE n."account_id" = d."account_id" AND n."id" = d."id";

INSERT INTO "webhook_sequences" ("account_id", "subscription_id", "chat_id", "last")
SELECT d."account_id", d."subscription_id", coalesce(e."chat_id", '00000000-0000-0000-0000-000000000000'), max(d."sequence")
FROM "webhook_deliveries" d
LEFT JOIN "events" e ON e."account_id" = d."account_id" AND e."seq" = d."event_seq"
GROUP BY 1, 2, 3;

-- AlterTable
ALTER TABLE "webhook_deliveries" ALTER COLUMN "sequence" SET NOT NULL;

-- AlterTable
ALTER TABLE "webhook_attempts" ADD COLUMN     "connect_ms" REAL,
ADD COLUMN     "dns_ms" REAL,
ADD COLUMN     "first_byte_ms" REAL,
ADD COLUMN     "request" JSON,
ADD COLUMN     "response_headers" JSON,
ADD COLUMN     "tls_ms" REAL;

-- CreateTable
CREATE TABLE "webhook_attempt_counts" (
    "account_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT NOT NULL,
    "latency_step" SMALLINT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "count" INTEGER NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_attempt_counts_pkey" PRIMARY KEY ("account_id","subscription_id","hour","outcome","latency_step","shard")
);

-- CreateTable
CREATE TABLE "account_notices" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" "notice_severity" NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "link" TEXT,
    "object_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "dismissed_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_notices_pkey" PRIMARY KEY ("account_id","id")
);

-- DropIndex
DROP INDEX "webhook_deliveries_account_id_subscription_id_event_seq_idx";

-- CreateIndex
CREATE INDEX "webhook_deliveries_account_id_subscription_id_created_at_id_idx" ON "webhook_deliveries"("account_id", "subscription_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_attempt_counts_hour_idx" ON "webhook_attempt_counts"("hour");

-- CreateIndex
CREATE INDEX "account_notices_open_idx" ON "account_notices"("account_id", "id" DESC) WHERE (dismissed_at IS NULL);

-- AddForeignKey
ALTER TABLE "webhook_sequences" ADD CONSTRAINT "webhook_sequences_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "webhook_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempt_counts" ADD CONSTRAINT "webhook_attempt_counts_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "webhook_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
