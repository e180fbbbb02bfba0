-- Turns: the messages of one person until a pause, for subscriptions to chat.turn. Null settings: the defaults.
ALTER TABLE "webhook_subscriptions"
    ADD COLUMN "turn_quiet_ms" INTEGER,
    ADD COLUMN "turn_max_ms" INTEGER,
    ADD COLUMN "turn_groups" BOOLEAN;

CREATE TABLE "chat_turns" (
    "account_id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "subscription_id" UUID NOT NULL,
    "is_recovered" BOOLEAN NOT NULL,
    "line_id" UUID NOT NULL,
    "message_ids" UUID[] NOT NULL,
    "answered_count" INTEGER,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "closes_at" TIMESTAMPTZ(3) NOT NULL,
    "quiet_until" TIMESTAMPTZ(3) NOT NULL,
    "typing_until" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chat_turns_pkey" PRIMARY KEY ("account_id", "chat_id", "handle", "subscription_id", "is_recovered")
);

ALTER TABLE "chat_turns" ADD CONSTRAINT "chat_turns_account_id_chat_id_fkey" FOREIGN KEY ("account_id", "chat_id") REFERENCES "chats"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE INDEX "chat_turns_due_at_idx" ON "chat_turns" ("due_at");

-- Which events of turns contain which messages, so that erasing a message reaches them.
CREATE TABLE "chat_turn_messages" (
    "account_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chat_turn_messages_pkey" PRIMARY KEY ("account_id", "message_id", "event_id")
);

ALTER TABLE "chat_turn_messages" ADD CONSTRAINT "chat_turn_messages_account_id_message_id_fkey" FOREIGN KEY ("account_id", "message_id") REFERENCES "messages"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE INDEX "chat_turn_messages_created_at_idx" ON "chat_turn_messages" USING brin ("created_at");
