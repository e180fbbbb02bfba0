-- AlterTable
ALTER TABLE "simulator_accounts" ADD COLUMN "downloads_fail" BOOLEAN NOT NULL DEFAULT false;
