CREATE INDEX "chats_snoozed_until_idx" ON "chats"("snoozed_until") WHERE (snoozed_until IS NOT NULL);
