-- When programs don't write to people; null = at any time. Alone and first: it holds the strongest lock of accounts, for a moment.
ALTER TABLE "accounts" ADD COLUMN "quiet_hours" JSONB;
