-- CreateEnum
CREATE TYPE "attachment_source" AS ENUM ('upload', 'url', 'received', 'picture');

-- CreateEnum
CREATE TYPE "attachment_family" AS ENUM ('image', 'video', 'audio', 'document');

-- AlterTable
ALTER TABLE "attachments" ADD COLUMN     "family" "attachment_family" NOT NULL DEFAULT 'document',
ADD COLUMN     "fault" TEXT,
ADD COLUMN     "line_id" UUID,
ADD COLUMN     "source" "attachment_source" NOT NULL DEFAULT 'upload';

-- What is there already: its family by its type, where it came from by what shows it.
UPDATE "attachments" SET "family" = split_part("content_type", '/', 1)::"attachment_family"
WHERE split_part("content_type", '/', 1) IN ('image', 'video', 'audio');

UPDATE "attachments" t SET "source" = 'received', "line_id" = m."line_id"
FROM "attachment_uses" u
JOIN "messages" m ON m."account_id" = u."account_id" AND m."id" = u."message_id"
WHERE u."account_id" = t."account_id" AND u."attachment_id" = t."id" AND NOT m."is_from_me";

UPDATE "attachments" t SET "source" = 'picture', "line_id" = c."line_id"
FROM "contact_cards" c WHERE c."account_id" = t."account_id" AND c."attachment_id" = t."id";

UPDATE "attachments" t SET "source" = 'picture', "line_id" = c."line_id"
FROM "chats" c WHERE c."account_id" = t."account_id" AND c."group_icon" ->> 'attachment_id' = t."id"::text;

-- CreateIndex
CREATE INDEX "attachments_account_id_source_id_idx" ON "attachments"("account_id", "source", "id" DESC);

-- CreateIndex
CREATE INDEX "attachments_account_id_family_id_idx" ON "attachments"("account_id", "family", "id" DESC);

-- CreateIndex
CREATE INDEX "attachments_unfinished_idx" ON "attachments"("account_id", "id" DESC) WHERE (status <> 'complete');

-- CreateIndex
CREATE INDEX "attachments_ephemeral_idx" ON "attachments"("account_id", "id" DESC) WHERE (tier = 'ephemeral');

-- CreateIndex
CREATE INDEX "attachments_stored_idx" ON "attachments"("account_id", "tier", "size_bytes") WHERE (status = 'complete');

-- CreateIndex
CREATE INDEX "audit_entries_settings_idx" ON "audit_entries"("account_id", "id" DESC) WHERE (object_type = ANY (ARRAY['account'::text, 'app_clip'::text, 'line'::text, 'contact_card'::text]));

-- CreateIndex
CREATE INDEX "audit_entries_files_idx" ON "audit_entries"("account_id", "object_id" DESC) WHERE (action = 'attachment.deleted');


