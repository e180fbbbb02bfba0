-- CreateEnum
CREATE TYPE "app_clip_state" AS ENUM ('active', 'in_review');

-- Accounts from before there was a review keep what works for them.
-- AlterTable
ALTER TABLE "accounts" ADD COLUMN "checkout_clip" "app_clip_state" NOT NULL DEFAULT 'active';
ALTER TABLE "accounts" ALTER COLUMN "checkout_clip" SET DEFAULT 'in_review';
