-- CreateTable
CREATE TABLE "stripe_issuing_accounts" (
    "account_id" UUID NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "cardholder_id" TEXT,
    "missing" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stripe_issuing_accounts_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "stripe_issuing_keys" (
    "account_id" UUID NOT NULL,
    "card_ref" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stripe_issuing_keys_pkey" PRIMARY KEY ("account_id","card_ref","key_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "stripe_issuing_accounts_merchant_id_key" ON "stripe_issuing_accounts"("merchant_id");

-- AlterTable
ALTER TABLE "processor_events" ADD COLUMN "is_approved" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "agent_payments" ADD COLUMN "charge_ref" TEXT;
