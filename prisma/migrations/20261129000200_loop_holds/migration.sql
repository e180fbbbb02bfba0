-- The exchanges of a chat in a row, and since when API sends to it are on hold. New columns are empty, so no row is written.
ALTER TYPE "chat_team_entry_kind" ADD VALUE 'loop_held';
ALTER TYPE "chat_team_entry_kind" ADD VALUE 'loop_resumed';

ALTER TABLE "chats" ADD COLUMN "exchange_count" INTEGER,
ADD COLUMN "loop_held_at" TIMESTAMPTZ(3);
