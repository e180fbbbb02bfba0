-- AlterTable
ALTER TABLE "payment_requests" ADD COLUMN     "is_processing" BOOLEAN NOT NULL DEFAULT false;


