-- CreateEnum
CREATE TYPE "card_provider_status" AS ENUM ('onboarding', 'ready', 'disabled');

-- CreateEnum
CREATE TYPE "connection_status" AS ENUM ('pending', 'connected', 'revoked');

-- CreateEnum
CREATE TYPE "agent_payment_status" AS ENUM ('needs_connection', 'connecting', 'awaiting_user_action', 'ready', 'authorized', 'succeeded', 'declined', 'canceled', 'expired');

-- CreateEnum
CREATE TYPE "passkey_purpose" AS ENUM ('register', 'approve');

-- CreateEnum
CREATE TYPE "servicecard_status" AS ENUM ('open', 'authorized', 'captured', 'declined', 'closed');

-- CreateTable
CREATE TABLE "card_provider_accounts" (
    "account_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "status" "card_provider_status" NOT NULL,
    "session_id" UUID,
    "return_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "card_provider_accounts_pkey" PRIMARY KEY ("account_id","provider")
);

-- CreateTable
CREATE TABLE "agent_pay_settings" (
    "account_id" UUID NOT NULL,
    "max_per_payment_cents" INTEGER,
    "max_per_handle_day_cents" INTEGER,
    "merchant_allow_list" TEXT[],
    "approval_above_cents" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_pay_settings_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "handle_connections" (
    "account_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "handle" TEXT NOT NULL,
    "status" "connection_status" NOT NULL,
    "ceremony_id" UUID,
    "code_hash" BYTEA,
    "code_expires_at" TIMESTAMPTZ(3),
    "code_tries" INTEGER NOT NULL DEFAULT 0,
    "codes_sent" INTEGER NOT NULL DEFAULT 0,
    "codes_since" TIMESTAMPTZ(3) NOT NULL,
    "approved_at" TIMESTAMPTZ(3),
    "connected_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "handle_connections_pkey" PRIMARY KEY ("account_id","provider","handle")
);

-- CreateTable
CREATE TABLE "agent_payments" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "description" TEXT,
    "merchant_name" TEXT,
    "merchant_url" TEXT,
    "metadata" JSONB NOT NULL,
    "provider" TEXT NOT NULL,
    "status" "agent_payment_status" NOT NULL,
    "idempotency_key" TEXT,
    "open_key" TEXT,
    "approved_at" TIMESTAMPTZ(3),
    "reserved_at" TIMESTAMPTZ(3),
    "card_ref" TEXT,
    "card_closed_at" TIMESTAMPTZ(3),
    "moved_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "trace_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_payments_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "passkeys" (
    "account_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "handle" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "passkey_challenges" (
    "account_id" UUID NOT NULL,
    "challenge" TEXT NOT NULL,
    "purpose" "passkey_purpose" NOT NULL,
    "payment_id" UUID NOT NULL,
    "bound_to" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_challenges_pkey" PRIMARY KEY ("account_id","challenge")
);

-- CreateTable
CREATE TABLE "servicecard_wallets" (
    "account_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "servicecard_wallets_pkey" PRIMARY KEY ("account_id","handle")
);

-- CreateTable
CREATE TABLE "servicecard_cards" (
    "account_id" UUID NOT NULL,
    "card_ref" TEXT NOT NULL,
    "payment_id" UUID NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "status" "servicecard_status" NOT NULL DEFAULT 'open',
    "number_tag" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "servicecard_cards_pkey" PRIMARY KEY ("account_id","card_ref")
);

-- CreateIndex
CREATE INDEX "handle_connections_account_id_updated_at_handle_idx" ON "handle_connections"("account_id", "updated_at" DESC, "handle");

-- CreateIndex
CREATE INDEX "agent_payments_id_idx" ON "agent_payments"("id");

-- CreateIndex
CREATE INDEX "agent_payments_account_id_status_id_idx" ON "agent_payments"("account_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "agent_payments_account_id_handle_id_idx" ON "agent_payments"("account_id", "handle", "id" DESC);

-- CreateIndex
CREATE INDEX "agent_payments_idle_idx" ON "agent_payments"("moved_at") WHERE (ended_at IS NULL AND status <> 'authorized');

-- CreateIndex
CREATE INDEX "agent_payments_unclosed_idx" ON "agent_payments"("ended_at") WHERE (ended_at IS NOT NULL AND card_ref IS NOT NULL AND card_closed_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "agent_payments_account_id_idempotency_key_key" ON "agent_payments"("account_id", "idempotency_key") WHERE (idempotency_key IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "agent_payments_account_id_open_key_key" ON "agent_payments"("account_id", "open_key") WHERE (open_key IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "agent_payments_provider_card_ref_key" ON "agent_payments"("provider", "card_ref") WHERE (card_ref IS NOT NULL);

-- CreateIndex
CREATE INDEX "passkeys_account_id_handle_idx" ON "passkeys"("account_id", "handle");

-- CreateIndex
CREATE INDEX "passkey_challenges_expires_at_idx" ON "passkey_challenges"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "servicecard_cards_number_tag_key" ON "servicecard_cards"("number_tag");

-- CreateIndex
CREATE UNIQUE INDEX "servicecard_cards_account_id_payment_id_key" ON "servicecard_cards"("account_id", "payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "servicecard_cards_card_ref_key" ON "servicecard_cards"("card_ref");


