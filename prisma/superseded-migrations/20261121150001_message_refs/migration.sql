-- CreateIndex
CREATE INDEX "transport_refs_account_id_message_id_idx" ON "transport_refs"("account_id", "message_id");


