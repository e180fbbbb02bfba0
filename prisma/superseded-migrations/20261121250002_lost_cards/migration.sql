-- CreateIndex
CREATE INDEX "agent_payments_lost_idx" ON "agent_payments"("ended_at") WHERE (ended_at IS NOT NULL AND card_ref IS NULL AND card_closed_at IS NULL AND reserved_at IS NOT NULL);
