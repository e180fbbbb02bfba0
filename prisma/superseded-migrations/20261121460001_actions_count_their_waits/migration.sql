-- AlterTable
ALTER TABLE "chat_actions" ADD COLUMN "waits" INTEGER NOT NULL DEFAULT 0;
