-- In a migration of its own, so that the exclusive lock of the columns is not kept while it is built.
CREATE INDEX "chats_needs_reply_idx" ON "chats"("account_id", "last_activity_at" DESC, "id" DESC) WHERE (inbox_state = 'open' AND needs_reply);
