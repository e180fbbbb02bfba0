-- The order of what is accepted in a chat: one sequence for messages and actions, so that the two can be compared.
CREATE SEQUENCE "chat_positions" AS BIGINT;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN "position" BIGINT;
ALTER TABLE "chat_actions" ADD COLUMN "position" BIGINT;

-- Existing rows keep their order, which was that of their ids.
WITH numbered AS (
  SELECT id, row_number() OVER (ORDER BY id) AS position FROM (
    SELECT id FROM messages UNION ALL SELECT id FROM chat_actions
  ) both_kinds
), placed_messages AS (
  UPDATE messages m SET position = n.position FROM numbered n WHERE n.id = m.id
)
UPDATE chat_actions a SET position = n.position FROM numbered n WHERE n.id = a.id;

SELECT setval('chat_positions', greatest(
  (SELECT max(position) FROM messages), (SELECT max(position) FROM chat_actions), 0) + 1, false);

ALTER TABLE "messages" ALTER COLUMN "position" SET DEFAULT nextval('chat_positions'), ALTER COLUMN "position" SET NOT NULL;
ALTER TABLE "chat_actions" ALTER COLUMN "position" SET DEFAULT nextval('chat_positions'), ALTER COLUMN "position" SET NOT NULL;

-- CreateIndex
CREATE INDEX "messages_account_id_chat_id_position_idx" ON "messages"("account_id", "chat_id", "position" DESC);

-- DropIndex
DROP INDEX "messages_account_id_thread_id_id_idx";
DROP INDEX "messages_undispatched_idx";
DROP INDEX "chat_actions_account_id_chat_id_id_idx";

-- CreateIndex
CREATE INDEX "messages_account_id_thread_id_position_idx" ON "messages"("account_id", "thread_id", "position") WHERE (thread_id IS NOT NULL);
CREATE INDEX "messages_undispatched_idx" ON "messages"("account_id", "line_id", "chat_id", "position") WHERE (dispatch_at IS NOT NULL);
CREATE INDEX "chat_actions_account_id_chat_id_position_idx" ON "chat_actions"("account_id", "chat_id", "position");
