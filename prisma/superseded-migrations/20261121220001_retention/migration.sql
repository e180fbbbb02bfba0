-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "erased_to" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "attachment_uses_account_id_message_id_idx" ON "attachment_uses"("account_id", "message_id");


