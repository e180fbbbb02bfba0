-- AlterTable
ALTER TABLE "agent_pay_settings" ADD COLUMN "currency_limits" JSONB NOT NULL DEFAULT '{}';
