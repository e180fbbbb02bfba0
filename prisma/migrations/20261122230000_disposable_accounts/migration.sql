-- Sandbox accounts of POST /simulator/accounts: deleted with their partner at this time of PostgreSQL's wall clock.
ALTER TABLE "accounts" ADD COLUMN "disposable_until" TIMESTAMPTZ(3),
  ADD CONSTRAINT "accounts_disposable_check" CHECK ("disposable_until" IS NULL OR "type" = 'sandbox');
-- The seed of what the simulator chooses in an account; null = random.
ALTER TABLE "simulator_accounts" ADD COLUMN "seed" TEXT;
