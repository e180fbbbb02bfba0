-- CreateEnum
CREATE TYPE "first_message_links" AS ENUM ('allow', 'reject');

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "daily_messages" INTEGER,
ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "first_message_links" "first_message_links" NOT NULL DEFAULT 'allow',
ADD COLUMN     "locations" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "pair_messages" INTEGER DEFAULT 30,
ADD COLUMN     "rcs" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "requests_per_minute" INTEGER,
ADD COLUMN     "retention_minutes" INTEGER;

-- CreateTable
CREATE TABLE "app_clips" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url_prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "app_clips_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "app_clips_account_id_url_prefix_key" ON "app_clips"("account_id", "url_prefix");

-- AddForeignKey
ALTER TABLE "app_clips" ADD CONSTRAINT "app_clips_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;



-- The cap that sandboxes have from now on.
UPDATE "accounts" SET "daily_messages" = 100 WHERE "type" = 'sandbox';
