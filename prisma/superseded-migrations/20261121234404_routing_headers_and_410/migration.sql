-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "default_webhook_version" TEXT NOT NULL DEFAULT '2026-02-03';

-- AlterTable
ALTER TABLE "webhook_subscriptions" ADD COLUMN     "gone_at" TIMESTAMPTZ(3),
ADD COLUMN     "routing_id_header" TEXT,
ADD COLUMN     "routing_key_header" TEXT;

-- CreateTable
CREATE TABLE "webhook_routing_tokens" (
    "account_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "learned_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_routing_tokens_pkey" PRIMARY KEY ("account_id","subscription_id","chat_id")
);

-- AddForeignKey
ALTER TABLE "webhook_routing_tokens" ADD CONSTRAINT "webhook_routing_tokens_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "webhook_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
