-- After how many exchanges a chat that loops goes on hold; null = never. Alone and first: it holds the strongest lock of accounts, for
-- a moment.
ALTER TABLE "accounts" ADD COLUMN "loop_exchanges" INTEGER;
