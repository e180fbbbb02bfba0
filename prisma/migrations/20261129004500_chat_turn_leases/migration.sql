-- Who closes a turn, and which of its messages mention the line. Null: no one, and none.
ALTER TABLE "chat_turns"
    ADD COLUMN "lease_until" TIMESTAMPTZ(3),
    ADD COLUMN "mention_ids" UUID[];
