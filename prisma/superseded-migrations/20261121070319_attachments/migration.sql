-- CreateEnum
CREATE TYPE "attachment_tier" AS ENUM ('persistent', 'ephemeral');

-- CreateEnum
CREATE TYPE "attachment_status" AS ENUM ('pending', 'complete', 'failed');

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "attachment_tier" "attachment_tier" NOT NULL DEFAULT 'persistent';

-- AlterTable
ALTER TABLE "lines" ADD COLUMN     "attachment_tier" "attachment_tier";

-- CreateTable
CREATE TABLE "attachments" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "filename" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "status" "attachment_status" NOT NULL,
    "tier" "attachment_tier" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "attachment_uses" (
    "account_id" UUID NOT NULL,
    "attachment_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,

    CONSTRAINT "attachment_uses_pkey" PRIMARY KEY ("account_id","attachment_id","message_id")
);

-- CreateIndex
CREATE INDEX "attachments_id_idx" ON "attachments"("id");

-- CreateIndex
CREATE INDEX "attachments_expires_at_idx" ON "attachments"("expires_at") WHERE (expires_at IS NOT NULL);


