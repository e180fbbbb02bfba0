CREATE INDEX "chats_loop_held_idx" ON "chats"("account_id") WHERE (loop_held_at IS NOT NULL);
