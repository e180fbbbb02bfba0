-- Amounts are minor units: the last three columns say so too. The wire keeps its names.
ALTER TABLE "payment_requests" RENAME COLUMN "amount" TO "amount_minor";
ALTER TABLE "payment_requests" RENAME CONSTRAINT "payment_requests_amount_check" TO "payment_requests_amount_minor_check";
ALTER TABLE "payment_requests" RENAME COLUMN "charged" TO "charged_minor";
ALTER TABLE "payment_requests" RENAME CONSTRAINT "payment_requests_charged_check" TO "payment_requests_charged_minor_check";
ALTER TABLE "sandbox_orders" RENAME COLUMN "amount" TO "amount_minor";
ALTER TABLE "sandbox_orders" RENAME CONSTRAINT "sandbox_orders_amount_check" TO "sandbox_orders_amount_minor_check";
