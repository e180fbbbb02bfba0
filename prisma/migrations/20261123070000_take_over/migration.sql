-- A person takes a chat over: until held_until, sends by API tokens are refused.
ALTER TABLE "accounts" ADD COLUMN "take_over_minutes" INTEGER
  CONSTRAINT "accounts_take_over_minutes_check" CHECK ("take_over_minutes" BETWEEN 1 AND 1440);
ALTER TABLE "chats" ADD COLUMN "held_by" UUID, ADD COLUMN "held_at" TIMESTAMPTZ(3), ADD COLUMN "held_until" TIMESTAMPTZ(3);
CREATE INDEX "chats_held_until_idx" ON "chats" ("held_until") WHERE held_until IS NOT NULL;

CREATE TYPE "chat_team_entry_kind" AS ENUM ('taken_over', 'handed_back', 'assigned', 'note');
CREATE TABLE "chat_team_entries" (
  "account_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "chat_id" UUID NOT NULL,
  "kind" "chat_team_entry_kind" NOT NULL,
  "user_id" UUID,
  "about_id" UUID,
  "body" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "chat_team_entries_pkey" PRIMARY KEY ("account_id", "id"),
  CONSTRAINT "chat_team_entries_account_id_chat_id_fkey" FOREIGN KEY ("account_id", "chat_id")
    REFERENCES "chats"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE INDEX "chat_team_entries_account_id_chat_id_id_idx" ON "chat_team_entries" ("account_id", "chat_id", "id" DESC);
