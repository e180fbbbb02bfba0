-- CreateIndex
CREATE INDEX "messages_account_id_deleted_at_idx" ON "messages"("account_id", "deleted_at") WHERE (deleted_at IS NOT NULL);
