-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "volumes_to" UUID;

-- CreateTable
CREATE TABLE "line_days" (
    "account_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "sent" INTEGER NOT NULL,
    "received" INTEGER NOT NULL,

    CONSTRAINT "line_days_pkey" PRIMARY KEY ("account_id","day","line_id")
);

-- CreateIndex
CREATE INDEX "messages_failed_idx" ON "messages"("account_id", "id") WHERE (failed_at IS NOT NULL);


