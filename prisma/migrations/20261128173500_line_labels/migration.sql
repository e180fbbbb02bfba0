-- The name that the account's people gave a line.
ALTER TABLE "lines" ADD COLUMN "label" TEXT;
