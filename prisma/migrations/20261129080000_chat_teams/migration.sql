-- The team that looks after a chat, and what the timeline says of it.
ALTER TYPE "chat_team_entry_kind" ADD VALUE 'team_assigned';

ALTER TABLE "chats" ADD COLUMN "team_id" UUID;
