-- When the hold of a chat that loops ends by itself. A new column is empty, so no row is written.
ALTER TABLE "chats" ADD COLUMN "loop_held_until" TIMESTAMPTZ(3);
