-- How far events and opt-outs are counted by line; null = not yet. Alone and first: the statement holds the strongest lock of
-- accounts, for a moment.
ALTER TABLE "accounts"
    ADD COLUMN "line_activity_to" BIGINT,
    ADD COLUMN "line_opt_outs_to" UUID;
