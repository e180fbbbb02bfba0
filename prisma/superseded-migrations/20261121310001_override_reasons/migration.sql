-- AlterTable
ALTER TABLE "opt_out_overrides" ADD COLUMN     "reason" TEXT;
