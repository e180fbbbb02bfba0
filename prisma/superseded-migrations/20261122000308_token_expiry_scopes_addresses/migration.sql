-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "developer_tokens" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "api_tokens" ADD COLUMN     "allowed_addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "expired_at" TIMESTAMPTZ(3),
ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "expiry_notice_days" INTEGER,
ADD COLUMN     "last_used_from" TEXT,
ADD COLUMN     "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "api_tokens_expiring_idx" ON "api_tokens"("expires_at") WHERE (expires_at IS NOT NULL AND expired_at IS NULL AND revoked_at IS NULL);
