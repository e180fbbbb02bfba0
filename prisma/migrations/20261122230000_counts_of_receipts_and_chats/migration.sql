-- The overview and the line pages read the receipts and the new chats of a day from a counter (decision 0009).
ALTER TABLE "line_days" ADD COLUMN "delivered" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "new_chats" INTEGER NOT NULL DEFAULT 0,
  DROP CONSTRAINT "line_days_counts_check",
  ADD CONSTRAINT "line_days_counts_check"
    CHECK ("sent" >= 0 AND "received" >= 0 AND "delivered" >= 0 AND "new_chats" >= 0);
ALTER TABLE "accounts" ADD COLUMN "receipts_to" BIGINT;

-- The job counts chats with the messages of the same period, and the messages up to "volumes_to" are already counted.
INSERT INTO "line_days" AS l ("account_id", "line_id", "day", "sent", "received", "new_chats")
SELECT c."account_id", c."line_id", (c."created_at" AT TIME ZONE 'UTC')::date, 0, 0, count(*)
FROM "chats" c JOIN "accounts" a ON a."id" = c."account_id" AND c."id" < a."volumes_to"
GROUP BY 1, 2, 3
ON CONFLICT ("account_id", "day", "line_id") DO UPDATE SET "new_chats" = EXCLUDED."new_chats";
