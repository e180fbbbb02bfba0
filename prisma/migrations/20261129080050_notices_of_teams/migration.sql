-- The team whose members see a notice.
ALTER TABLE "account_notices" ADD COLUMN "team_id" UUID;
