-- CreateIndex
CREATE INDEX "events_payment_facts_idx" ON "events"("account_id", "trace_id") WHERE (type LIKE 'payment_request.%');
