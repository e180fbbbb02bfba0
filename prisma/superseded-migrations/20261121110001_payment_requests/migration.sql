-- CreateEnum
CREATE TYPE "payment_request_mode" AS ENUM ('payment', 'subscription');

-- CreateEnum
CREATE TYPE "payment_request_status" AS ENUM ('requested', 'succeeded', 'canceled', 'expired');

-- CreateEnum
CREATE TYPE "payment_rail" AS ENUM ('primary', 'secondary');

-- CreateEnum
CREATE TYPE "sandbox_order_status" AS ENUM ('open', 'needs_step', 'processing', 'paid', 'canceled');

-- CreateTable
CREATE TABLE "processor_connections" (
    "account_id" UUID NOT NULL,
    "processor" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "can_charge" BOOLEAN NOT NULL,
    "connected_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "processor_connections_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "checkout_brandings" (
    "account_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "color" TEXT,
    "logo_url" TEXT,
    "logo_attachment_id" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "checkout_brandings_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "payment_requests" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "idempotency_key" TEXT,
    "mode" "payment_request_mode" NOT NULL,
    "status" "payment_request_status" NOT NULL DEFAULT 'requested',
    "amount" BIGINT NOT NULL,
    "charged" BIGINT,
    "currency" TEXT NOT NULL,
    "description" TEXT,
    "image_url" TEXT,
    "metadata" JSON,
    "rail" "payment_rail" NOT NULL DEFAULT 'primary',
    "from_number" TEXT,
    "payer_handle" TEXT,
    "price_id" TEXT,
    "quantity" INTEGER,
    "interval" TEXT,
    "interval_count" INTEGER,
    "trial_end" TIMESTAMPTZ(3),
    "discount" JSONB,
    "processor" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "is_own_customer" BOOLEAN NOT NULL DEFAULT false,
    "customer_id" TEXT,
    "payment_intent_id" TEXT,
    "subscription_id" TEXT,
    "secondary_request_id" TEXT,
    "secondary_transaction_id" TEXT,
    "session_hash" BYTEA NOT NULL,
    "session_sealed" BYTEA NOT NULL,
    "trace_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "check_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_requests_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "payment_request_messages" (
    "account_id" UUID NOT NULL,
    "payment_request_id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,

    CONSTRAINT "payment_request_messages_pkey" PRIMARY KEY ("account_id","payment_request_id","chat_id")
);

-- CreateTable
CREATE TABLE "processor_events" (
    "processor" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "processor_events_pkey" PRIMARY KEY ("processor","event_id")
);

-- CreateTable
CREATE TABLE "sandbox_orders" (
    "account_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "status" "sandbox_order_status" NOT NULL DEFAULT 'open',
    "amount" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "customer_id" TEXT,
    "metadata" JSON NOT NULL DEFAULT '{}',
    "card" TEXT,
    "transaction_id" TEXT,
    "settles_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_orders_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "processor_connections_processor_merchant_id_idx" ON "processor_connections"("processor", "merchant_id");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_brandings_slug_key" ON "checkout_brandings"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "payment_requests_session_hash_key" ON "payment_requests"("session_hash");

-- CreateIndex
CREATE INDEX "payment_requests_id_idx" ON "payment_requests"("id");

-- CreateIndex
CREATE INDEX "payment_requests_account_id_status_id_idx" ON "payment_requests"("account_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "payment_requests_check_at_idx" ON "payment_requests"("check_at") WHERE (check_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "payment_requests_processor_merchant_id_payment_intent_id_idx" ON "payment_requests"("processor", "merchant_id", "payment_intent_id") WHERE (payment_intent_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "payment_requests_processor_merchant_id_subscription_id_idx" ON "payment_requests"("processor", "merchant_id", "subscription_id") WHERE (subscription_id IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "payment_requests_account_id_idempotency_key_key" ON "payment_requests"("account_id", "idempotency_key") WHERE (idempotency_key IS NOT NULL);

-- CreateIndex
CREATE INDEX "processor_events_received_at_idx" ON "processor_events"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_orders_account_id_key_key" ON "sandbox_orders"("account_id", "key");

-- AddForeignKey
ALTER TABLE "processor_connections" ADD CONSTRAINT "processor_connections_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_brandings" ADD CONSTRAINT "checkout_brandings_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_requests" ADD CONSTRAINT "payment_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_orders" ADD CONSTRAINT "sandbox_orders_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;


