-- The name that the account's people gave a webhook endpoint. Only the dashboard shows it.
ALTER TABLE "webhook_subscriptions" ADD COLUMN "name" TEXT
  CONSTRAINT "webhook_subscriptions_name_check" CHECK ("name" <> '');
