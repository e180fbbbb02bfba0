-- AlterTable
ALTER TABLE "users" ADD COLUMN "is_operator" BOOLEAN NOT NULL DEFAULT false;

-- The first admin of an instance operates it.
UPDATE "users" SET "is_operator" = true WHERE "id" = (
  SELECT "user_id" FROM "memberships" WHERE "role" = 'admin' ORDER BY "created_at", "user_id" LIMIT 1
);
