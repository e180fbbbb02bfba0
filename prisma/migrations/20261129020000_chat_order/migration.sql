-- Deliveries in the order of each chat, for subscriptions that ask for it. Null: no order.
ALTER TABLE "webhook_subscriptions"
    ADD COLUMN "order_by_chat" BOOLEAN,
    ADD COLUMN "stop_exhausted" BOOLEAN;

ALTER TABLE "webhook_deliveries"
    ADD COLUMN "queue_chat_id" UUID,
    ADD COLUMN "stopped_at" TIMESTAMPTZ(3);

ALTER TABLE "webhook_sequences" ADD COLUMN "turn" BIGINT;
