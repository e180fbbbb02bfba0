-- Refuses a disposable account without a type too: an unknown type is not a sandbox.
ALTER TABLE "accounts" DROP CONSTRAINT "accounts_disposable_check",
  ADD CONSTRAINT "accounts_disposable_check" CHECK ("disposable_until" IS NULL OR ("type" IS NOT NULL AND "type" = 'sandbox'));
