-- AlterTable
ALTER TABLE "agent_payments" ADD COLUMN     "awaits" TEXT;


