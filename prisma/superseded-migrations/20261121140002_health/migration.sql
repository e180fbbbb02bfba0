-- CreateEnum
CREATE TYPE "flagged_by" AS ENUM ('transport', 'operator', 'reputation');

-- CreateEnum
CREATE TYPE "opt_out_cause" AS ENUM ('keyword', 'message', 'person');

-- CreateEnum
CREATE TYPE "opt_out_decision" AS ENUM ('opted_out', 'dismissed');

-- CreateEnum
CREATE TYPE "audit_status" AS ENUM ('pending', 'complete', 'error');

-- AlterTable
ALTER TABLE "chats" ADD COLUMN     "health_due_at" TIMESTAMPTZ(3),
ADD COLUMN     "unanswered" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];

-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "blocked_by_id" UUID,
ADD COLUMN     "blocked_by_type" TEXT;

-- AlterTable
ALTER TABLE "lines" ADD COLUMN     "flagged_at" TIMESTAMPTZ(3),
ADD COLUMN     "flagged_by" "flagged_by",
ADD COLUMN     "judged_at" TIMESTAMPTZ(3),
ADD COLUMN     "spared_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "opt_outs" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "cause" "opt_out_cause" NOT NULL,
    "keyword" TEXT,
    "chat_id" UUID,
    "message_id" UUID,
    "actor_type" TEXT,
    "actor_id" UUID,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_cause" "opt_out_cause",
    "end_message_id" UUID,
    "end_actor_type" TEXT,
    "end_actor_id" UUID,

    CONSTRAINT "opt_outs_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "opt_out_overrides" (
    "account_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "chat_id" UUID NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "opt_out_overrides_pkey" PRIMARY KEY ("account_id","message_id")
);

-- CreateTable
CREATE TABLE "opt_out_hints" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "chat_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "word" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "decision" "opt_out_decision",
    "decided_at" TIMESTAMPTZ(3),
    "decided_type" TEXT,
    "decided_by" UUID,

    CONSTRAINT "opt_out_hints_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "account_days" (
    "account_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "messages" INTEGER NOT NULL,

    CONSTRAINT "account_days_pkey" PRIMARY KEY ("account_id","day")
);

-- CreateTable
CREATE TABLE "reputation_audits" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "status" "audit_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "generated_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "report" JSONB,

    CONSTRAINT "reputation_audits_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "opt_outs_account_id_handle_id_idx" ON "opt_outs"("account_id", "handle", "id" DESC);

-- CreateIndex
CREATE INDEX "opt_outs_open_idx" ON "opt_outs"("account_id", "id" DESC) WHERE (ended_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "opt_outs_one_at_a_time" ON "opt_outs"("account_id", "handle") WHERE (ended_at IS NULL);

-- CreateIndex
CREATE INDEX "opt_out_overrides_account_id_handle_at_idx" ON "opt_out_overrides"("account_id", "handle", "at" DESC);

-- CreateIndex
CREATE INDEX "opt_out_hints_open_idx" ON "opt_out_hints"("account_id", "id" DESC) WHERE (decided_at IS NULL);

-- CreateIndex
CREATE INDEX "opt_out_hints_account_id_handle_idx" ON "opt_out_hints"("account_id", "handle");

-- CreateIndex
CREATE INDEX "account_days_day_idx" ON "account_days"("day");

-- CreateIndex
CREATE INDEX "reputation_audits_account_id_line_id_id_idx" ON "reputation_audits"("account_id", "line_id", "id" DESC);

-- CreateIndex
CREATE INDEX "reputation_audits_pending_idx" ON "reputation_audits"("created_at") WHERE (status = 'pending');

-- CreateIndex
CREATE UNIQUE INDEX "reputation_audits_one_at_a_time" ON "reputation_audits"("account_id", "line_id") WHERE (status = 'pending');

-- CreateIndex
CREATE INDEX "chats_account_id_line_id_health_updated_at_idx" ON "chats"("account_id", "line_id", "health_updated_at");

-- CreateIndex
CREATE INDEX "chats_unhealthy_idx" ON "chats"("account_id", "health_status", "health_updated_at" DESC, "id" DESC) WHERE (health_status <> 'HEALTHY');

-- CreateIndex
CREATE INDEX "chats_health_due_at_idx" ON "chats"("health_due_at") WHERE (health_due_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "contacts_blocked_idx" ON "contacts"("account_id", "blocked_at" DESC, "handle") WHERE (blocked_at IS NOT NULL);



-- Who is opted out now has its evidence too.
INSERT INTO "opt_outs" ("account_id", "id", "handle", "cause", "keyword", "message_id", "chat_id", "started_at")
SELECT k."account_id", gen_random_uuid(), k."handle", 'keyword', k."opt_out_keyword", k."opt_out_message_id", m."chat_id", k."opted_out_at"
FROM "contacts" k LEFT JOIN "messages" m ON m."account_id" = k."account_id" AND m."id" = k."opt_out_message_id"
WHERE k."opted_out_at" IS NOT NULL;

UPDATE "lines" SET "flagged_by" = 'operator', "flagged_at" = now() WHERE "status" = 'FLAGGED';
