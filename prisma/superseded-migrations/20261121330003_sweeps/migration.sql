-- CreateIndex
CREATE INDEX "contact_card_shares_shared_at_idx" ON "contact_card_shares"("shared_at");

-- CreateIndex
CREATE INDEX "handle_capabilities_checked_at_idx" ON "handle_capabilities"("checked_at");

-- CreateIndex
CREATE INDEX "simulator_actions_created_at_idx" ON "simulator_actions" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "simulator_messages_created_at_idx" ON "simulator_messages" USING BRIN ("created_at");


