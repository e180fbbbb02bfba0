-- CreateEnum
CREATE TYPE "account_type" AS ENUM ('sandbox', 'production');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('admin', 'developer', 'support', 'viewer');

-- CreateEnum
CREATE TYPE "service_type" AS ENUM ('iMessage', 'RCS', 'SMS');

-- CreateEnum
CREATE TYPE "line_status" AS ENUM ('ACTIVE', 'FLAGGED');

-- CreateEnum
CREATE TYPE "health_status" AS ENUM ('HEALTHY', 'AT_RISK', 'CRITICAL', 'OPTED_OUT');

-- CreateEnum
CREATE TYPE "participant_status" AS ENUM ('active', 'left', 'removed');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'queued', 'sent', 'delivered', 'received', 'read', 'failed');

-- CreateEnum
CREATE TYPE "webhook_delivery_status" AS ENUM ('waiting', 'delivered', 'failed', 'skipped');

-- CreateEnum
CREATE TYPE "phone_platform" AS ENUM ('iphone', 'android_rcs', 'sms_only');

-- CreateTable
CREATE TABLE "partners" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "partners_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "type" "account_type" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "failed_sign_ins" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "last_sign_in_at" TIMESTAMPTZ(3),
    "session_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "partner_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("partner_id","user_id")
);

-- CreateTable
CREATE TABLE "sign_in_links" (
    "token_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_links_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "api_tokens" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "lines" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "phone_number" TEXT NOT NULL,
    "line_type" "service_type" NOT NULL,
    "transport" TEXT NOT NULL,
    "status" "line_status" NOT NULL DEFAULT 'ACTIVE',
    "reputation" "health_status" NOT NULL DEFAULT 'HEALTHY',
    "is_up" BOOLEAN NOT NULL DEFAULT true,
    "forwarding_number" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lines_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "chats" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "line_type" "service_type" NOT NULL,
    "is_group" BOOLEAN NOT NULL,
    "display_name" TEXT,
    "group_chat_icon" TEXT,
    "recipient_handle" TEXT,
    "participants_key" TEXT,
    "service" "service_type",
    "transport_ref" TEXT,
    "health_status" "health_status" NOT NULL DEFAULT 'HEALTHY',
    "health_updated_at" TIMESTAMPTZ(3) NOT NULL,
    "left_at" TIMESTAMPTZ(3),
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chats_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "participants" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "is_me" BOOLEAN NOT NULL,
    "service" "service_type" NOT NULL,
    "status" "participant_status" NOT NULL DEFAULT 'active',
    "joined_at" TIMESTAMPTZ(3) NOT NULL,
    "left_at" TIMESTAMPTZ(3),

    CONSTRAINT "participants_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "messages" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "sender_id" UUID NOT NULL,
    "is_from_me" BOOLEAN NOT NULL,
    "parts" JSONB NOT NULL,
    "effect" JSONB,
    "reply_to" JSONB,
    "preferred_service" "service_type",
    "service" "service_type",
    "delivery_status" "delivery_status" NOT NULL,
    "idempotency_key" TEXT,
    "trace_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "read_at" TIMESTAMPTZ(3),
    "reconciled_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "failure_code" INTEGER,
    "failure_reason" TEXT,
    "deleted_at" TIMESTAMPTZ(3),
    "dispatch_at" TIMESTAMPTZ(3),
    "dispatch_attempts" INTEGER NOT NULL DEFAULT 0,
    "dispatch_lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "messages_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "transport_refs" (
    "account_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "ref" TEXT NOT NULL,
    "message_id" UUID NOT NULL,

    CONSTRAINT "transport_refs_pkey" PRIMARY KEY ("account_id","line_id","ref")
);

-- CreateTable
CREATE TABLE "contacts" (
    "account_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "opted_out_at" TIMESTAMPTZ(3),
    "opt_out_keyword" TEXT,
    "opt_out_message_id" UUID,
    "blocked_at" TIMESTAMPTZ(3),
    "blocked_reason" TEXT,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("account_id","handle")
);

-- CreateTable
CREATE TABLE "line_contacts" (
    "account_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "first_inbound_at" TIMESTAMPTZ(3) NOT NULL,
    "last_inbound_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "line_contacts_pkey" PRIMARY KEY ("account_id","line_id","handle")
);

-- CreateTable
CREATE TABLE "events" (
    "account_id" UUID NOT NULL,
    "xact_id" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "seq" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "internal" BOOLEAN NOT NULL DEFAULT false,
    "line_id" UUID,
    "chat_id" UUID,
    "message_id" UUID,
    "trace_id" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("account_id","seq")
);

-- CreateTable
CREATE TABLE "webhook_subscriptions" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "target_url" TEXT NOT NULL,
    "subscribed_events" TEXT[],
    "phone_numbers" TEXT[],
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "version" TEXT NOT NULL,
    "signing_secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_subscriptions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "event_seq" BIGINT NOT NULL,
    "status" "webhook_delivery_status" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "run_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "account_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "latency_ms" DOUBLE PRECISION NOT NULL,
    "status_code" INTEGER,
    "error" TEXT,
    "response_body" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("account_id","delivery_id","number")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL,
    "partner_id" UUID,
    "account_id" UUID,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "action" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "trace_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "platform_clock" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "offset_ms" BIGINT NOT NULL DEFAULT 0,
    "frozen_at" TIMESTAMPTZ(3),

    CONSTRAINT "platform_clock_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "simulator_phones" (
    "account_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "platform" "phone_platform" NOT NULL DEFAULT 'iphone',
    "read_receipts" BOOLEAN NOT NULL DEFAULT true,
    "read_after_ms" INTEGER,
    "delay_ms" INTEGER NOT NULL DEFAULT 200,
    "fault" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "simulator_phones_pkey" PRIMARY KEY ("account_id","handle")
);

-- CreateTable
CREATE TABLE "simulator_messages" (
    "account_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "group_ref" TEXT,
    "service" "service_type" NOT NULL,
    "parts" JSONB NOT NULL,
    "effect" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "read_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "simulator_messages_pkey" PRIMARY KEY ("account_id","line_id","ref","handle")
);

-- CreateIndex
CREATE UNIQUE INDEX "accounts_partner_id_name_key" ON "accounts"("partner_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_hash_key" ON "api_tokens"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "lines_phone_number_key" ON "lines"("phone_number");

-- CreateIndex
CREATE INDEX "lines_id_idx" ON "lines"("id");

-- CreateIndex
CREATE INDEX "chats_id_idx" ON "chats"("id");

-- CreateIndex
CREATE INDEX "chats_account_id_last_activity_at_id_idx" ON "chats"("account_id", "last_activity_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "chats_account_id_line_id_last_activity_at_id_idx" ON "chats"("account_id", "line_id", "last_activity_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "chats_account_id_line_id_participants_key_key" ON "chats"("account_id", "line_id", "participants_key");

-- CreateIndex
CREATE UNIQUE INDEX "chats_account_id_line_id_transport_ref_key" ON "chats"("account_id", "line_id", "transport_ref") WHERE (transport_ref IS NOT NULL);

-- CreateIndex
CREATE INDEX "participants_account_id_handle_chat_id_idx" ON "participants"("account_id", "handle", "chat_id");

-- CreateIndex
CREATE UNIQUE INDEX "participants_account_id_chat_id_handle_key" ON "participants"("account_id", "chat_id", "handle");

-- CreateIndex
CREATE INDEX "messages_id_idx" ON "messages"("id");

-- CreateIndex
CREATE INDEX "messages_account_id_chat_id_id_idx" ON "messages"("account_id", "chat_id", "id" DESC);

-- CreateIndex
CREATE INDEX "messages_undispatched_idx" ON "messages"("account_id", "line_id", "chat_id", "id") WHERE (dispatch_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "messages_account_id_idempotency_key_key" ON "messages"("account_id", "idempotency_key") WHERE (idempotency_key IS NOT NULL);

-- CreateIndex
CREATE INDEX "events_seq_idx" ON "events"("seq");

-- CreateIndex
CREATE INDEX "webhook_subscriptions_id_idx" ON "webhook_subscriptions"("id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_subscriptions_account_id_target_url_key" ON "webhook_subscriptions"("account_id", "target_url") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "webhook_deliveries_account_id_subscription_id_event_seq_idx" ON "webhook_deliveries"("account_id", "subscription_id", "event_seq" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_account_id_event_seq_idx" ON "webhook_deliveries"("account_id", "event_seq");

-- CreateIndex
CREATE INDEX "webhook_deliveries_subscription_id_run_at_idx" ON "webhook_deliveries"("subscription_id", "run_at") WHERE (run_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "audit_entries_account_id_id_idx" ON "audit_entries"("account_id", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_partner_id_id_idx" ON "audit_entries"("partner_id", "id" DESC);

-- CreateIndex
CREATE INDEX "simulator_messages_account_id_handle_created_at_idx" ON "simulator_messages"("account_id", "handle", "created_at" DESC);

-- CreateIndex
CREATE INDEX "simulator_messages_due_at_idx" ON "simulator_messages"("due_at") WHERE (due_at IS NOT NULL);

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partners"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partners"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lines" ADD CONSTRAINT "lines_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chats" ADD CONSTRAINT "chats_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chats" ADD CONSTRAINT "chats_account_id_line_id_fkey" FOREIGN KEY ("account_id", "line_id") REFERENCES "lines"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "participants" ADD CONSTRAINT "participants_account_id_chat_id_fkey" FOREIGN KEY ("account_id", "chat_id") REFERENCES "chats"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_account_id_chat_id_fkey" FOREIGN KEY ("account_id", "chat_id") REFERENCES "chats"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_subscriptions" ADD CONSTRAINT "webhook_subscriptions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "webhook_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_account_id_delivery_id_fkey" FOREIGN KEY ("account_id", "delivery_id") REFERENCES "webhook_deliveries"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "simulator_phones" ADD CONSTRAINT "simulator_phones_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;


