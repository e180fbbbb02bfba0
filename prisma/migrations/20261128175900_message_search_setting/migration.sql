-- Whether an account's messages can be searched. Alone and first: it holds the strongest lock of accounts, for a moment.
ALTER TABLE "accounts" ADD COLUMN "message_search" BOOLEAN NOT NULL DEFAULT true;
