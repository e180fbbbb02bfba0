-- Only production accounts hold chats that loop unless they choose to: simulated phones answer at once, like programs. Whoever
-- creates an account names the value. Accounts are few.
ALTER TABLE "accounts" ALTER COLUMN "loop_exchanges" SET DEFAULT NULL;

UPDATE "accounts" SET "loop_exchanges" = NULL WHERE "type" <> 'production' AND "loop_exchanges" = 20;
