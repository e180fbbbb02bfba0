-- Filters of the chat list: the person a chat is assigned to, unread messages, health and service.
ALTER TABLE "chats" ADD COLUMN "assigned_to" UUID, ADD COLUMN "is_unread" BOOLEAN NOT NULL DEFAULT false;
UPDATE "chats" c SET "is_unread" = true
WHERE (
  SELECT NOT m."is_from_me" AND m."id" IS DISTINCT FROM c."read_up_to" FROM "messages" m
  WHERE m."account_id" = c."account_id" AND m."chat_id" = c."id" AND m."deleted_at" IS NULL
  ORDER BY m."position" DESC LIMIT 1);
CREATE INDEX "chats_assigned_idx" ON "chats" ("account_id", "assigned_to", "last_activity_at" DESC, "id" DESC)
  WHERE assigned_to IS NOT NULL;
CREATE INDEX "chats_unread_idx" ON "chats" ("account_id", "last_activity_at" DESC, "id" DESC) WHERE is_unread;
CREATE INDEX "chats_at_risk_idx" ON "chats" ("account_id", "last_activity_at" DESC, "id" DESC)
  WHERE health_status = 'AT_RISK' OR health_status = 'CRITICAL';
CREATE INDEX "chats_service_idx" ON "chats" ("account_id", "service", "last_activity_at" DESC, "id" DESC)
  WHERE service IS NOT NULL;

-- A mention in an internal note makes a notice for one person.
ALTER TABLE "account_notices" ADD COLUMN "user_id" UUID;

-- Texts that people insert into messages.
CREATE TABLE "canned_replies" (
  "account_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "title" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "canned_replies_pkey" PRIMARY KEY ("account_id", "id"),
  CONSTRAINT "canned_replies_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
    ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "canned_replies_account_id_title_key" ON "canned_replies" ("account_id", "title");
