-- AlterTable
ALTER TABLE "payment_requests" ADD COLUMN     "success_url" TEXT,
ADD COLUMN     "return_url" TEXT,
ADD COLUMN     "cancel_url" TEXT,
ADD COLUMN     "receipt_email" TEXT,
ADD COLUMN     "items" JSON,
ADD COLUMN     "locale" TEXT;
