-- The retry ladder of a subscription; empty = the instance's. A constant default: no row is rewritten.
ALTER TABLE "webhook_subscriptions" ADD COLUMN "retry_seconds" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[];
