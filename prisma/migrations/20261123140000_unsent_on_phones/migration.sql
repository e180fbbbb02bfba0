-- AlterTable
ALTER TABLE "simulator_messages" ADD COLUMN "unsent_at" TIMESTAMPTZ(3);
