-- AlterTable
ALTER TABLE "simulator_lines" ADD COLUMN     "changes_fail" BOOLEAN NOT NULL DEFAULT false;


