-- Where chats stand in the team's inbox: open, snoozed or closed. New columns are empty, so no row is written.
CREATE TYPE "chat_inbox_state" AS ENUM ('open', 'snoozed', 'closed');

ALTER TYPE "chat_team_entry_kind" ADD VALUE 'closed';
ALTER TYPE "chat_team_entry_kind" ADD VALUE 'snoozed';
ALTER TYPE "chat_team_entry_kind" ADD VALUE 'reopened';

ALTER TABLE "chats" ADD COLUMN "inbox_state" "chat_inbox_state",
ADD COLUMN "needs_reply" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "snoozed_until" TIMESTAMPTZ(3);
