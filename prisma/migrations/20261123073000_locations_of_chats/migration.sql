-- The shared locations of a chat, for its timeline.
CREATE INDEX "location_shares_chat_idx" ON "location_shares" ("account_id", "chat_id", "began_at") WHERE chat_id IS NOT NULL;
