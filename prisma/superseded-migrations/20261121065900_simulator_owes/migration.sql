-- AlterTable
ALTER TABLE "simulator_messages" ADD COLUMN     "owes" TEXT;

-- What waits is owed already.
UPDATE "simulator_messages" SET "owes" = CASE WHEN "delivered_at" IS NULL THEN 'delivered' ELSE 'read' END
WHERE "due_at" IS NOT NULL;
