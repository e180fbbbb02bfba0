-- CreateEnum
CREATE TYPE "message_kind" AS ENUM ('content', 'poll', 'voice_memo');

-- CreateEnum
CREATE TYPE "reaction_type" AS ENUM ('love', 'like', 'dislike', 'laugh', 'emphasize', 'question', 'custom', 'sticker');

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "kind" "message_kind" NOT NULL DEFAULT 'content',
ADD COLUMN     "thread_id" UUID;

-- CreateTable
CREATE TABLE "message_edits" (
    "account_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "part_index" SMALLINT NOT NULL,
    "text" TEXT NOT NULL,
    "edited_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_edits_pkey" PRIMARY KEY ("account_id","message_id","id")
);

-- CreateTable
CREATE TABLE "reactions" (
    "account_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "part_index" SMALLINT NOT NULL,
    "id" UUID NOT NULL,
    "participant_id" UUID NOT NULL,
    "type" "reaction_type" NOT NULL,
    "emoji" TEXT,
    "picture" JSONB,
    "placement" JSONB,
    "ref" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reactions_pkey" PRIMARY KEY ("account_id","message_id","part_index","id")
);

-- CreateTable
CREATE TABLE "polls" (
    "account_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "idempotency_key" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "polls_pkey" PRIMARY KEY ("account_id","message_id")
);

-- CreateTable
CREATE TABLE "poll_options" (
    "account_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "ref" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "participant_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "poll_options_pkey" PRIMARY KEY ("account_id","message_id","id")
);

-- CreateTable
CREATE TABLE "poll_votes" (
    "account_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "option_id" UUID NOT NULL,
    "participant_id" UUID NOT NULL,
    "voted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "poll_votes_pkey" PRIMARY KEY ("account_id","message_id","option_id","participant_id")
);

-- CreateTable
CREATE TABLE "location_shares" (
    "account_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "chat_id" UUID,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "longitude" DOUBLE PRECISION,
    "latitude" DOUBLE PRECISION,
    "altitude" DOUBLE PRECISION,
    "address" TEXT,
    "locality" TEXT,
    "position_at" TIMESTAMPTZ(3),

    CONSTRAINT "location_shares_pkey" PRIMARY KEY ("account_id","line_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "reactions_one_each_key" ON "reactions"("account_id", "message_id", "part_index", "participant_id") WHERE (type <> 'sticker');

-- CreateIndex
CREATE UNIQUE INDEX "reactions_account_id_message_id_part_index_ref_key" ON "reactions"("account_id", "message_id", "part_index", "ref") WHERE (ref IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "polls_account_id_idempotency_key_key" ON "polls"("account_id", "idempotency_key") WHERE (idempotency_key IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "poll_options_account_id_message_id_ref_key" ON "poll_options"("account_id", "message_id", "ref");

-- CreateIndex
CREATE INDEX "location_shares_ends_at_idx" ON "location_shares"("ends_at") WHERE (ended_at IS NULL AND ends_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "location_shares_active_key" ON "location_shares"("account_id", "line_id", "handle") WHERE (ended_at IS NULL);

-- CreateIndex
CREATE INDEX "messages_account_id_thread_id_id_idx" ON "messages"("account_id", "thread_id", "id") WHERE (thread_id IS NOT NULL);

-- CreateIndex
CREATE INDEX IF NOT EXISTS "transport_refs_account_id_message_id_idx" ON "transport_refs"("account_id", "message_id");



-- A reply belongs to the thread of what it replies to, whoever stores it.
CREATE FUNCTION "messages_thread"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT coalesce(m.thread_id, m.id) INTO NEW.thread_id FROM messages m
  WHERE m.account_id = NEW.account_id AND m.id = (NEW.reply_to->>'message_id')::uuid;
  RETURN NEW;
END $$;

CREATE TRIGGER "messages_thread" BEFORE INSERT ON "messages"
  FOR EACH ROW WHEN (NEW.reply_to IS NOT NULL) EXECUTE FUNCTION "messages_thread"();

UPDATE messages m SET thread_id = (
  WITH RECURSIVE up AS (
    SELECT m.id, m.reply_to
    UNION
    SELECT r.id, r.reply_to FROM up JOIN messages r
      ON r.account_id = m.account_id AND r.id = (up.reply_to->>'message_id')::uuid
  ) SELECT id FROM up WHERE reply_to IS NULL LIMIT 1)
WHERE m.reply_to IS NOT NULL;
