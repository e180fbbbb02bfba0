-- Full-text search of messages. A recurring job fills the table from the committed messages; nothing else writes to it, except
-- that erasing a message's content deletes its row. Each term begins with the key of a segment, which belongs to one account.
CREATE TABLE "message_search" (
    "account_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "terms" tsvector NOT NULL,

    CONSTRAINT "message_search_pkey" PRIMARY KEY ("account_id", "message_id")
);

-- The job may add rows while an account is deleted. With it, they go.
ALTER TABLE "message_search" ADD CONSTRAINT "message_search_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Without a list of pending entries, which each search would have to read once per segment.
CREATE INDEX "message_search_terms_idx" ON "message_search" USING gin ("terms") WITH (fastupdate = off);
-- Every term occurs in one segment only, so statistics of terms say nothing.
ALTER TABLE "message_search" ALTER COLUMN "terms" SET STATISTICS 0;

CREATE TABLE "message_search_segments" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "first_position" BIGINT NOT NULL,
    "lowest" BIGINT NOT NULL,
    "highest" BIGINT NOT NULL,
    "message_count" INTEGER NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_search_segments_pkey" PRIMARY KEY ("account_id", "key")
);

ALTER TABLE "message_search_segments" ADD CONSTRAINT "message_search_segments_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE TABLE "message_search_progress" (
    "account_id" UUID NOT NULL,
    "events_to" BIGINT,
    "messages_from" UUID,
    "swept_to" UUID,
    "swept_at" TIMESTAMPTZ(3),

    CONSTRAINT "message_search_progress_pkey" PRIMARY KEY ("account_id")
);

ALTER TABLE "message_search_progress" ADD CONSTRAINT "message_search_progress_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
