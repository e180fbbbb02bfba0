-- AlterTable
ALTER TABLE "agent_payments" ADD COLUMN     "approval_tries" INTEGER NOT NULL DEFAULT 0;


