-- Messages to be sent at a later time. No index is built beside other rows: the table is new.
CREATE TABLE "scheduled_messages" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "chat_id" UUID NOT NULL,
    "kind" "message_kind" NOT NULL DEFAULT 'content',
    "content" JSONB,
    "parts" JSONB,
    "override_optout" BOOLEAN NOT NULL,
    "idempotency_key" TEXT,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "trace_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "canceled_at" TIMESTAMPTZ(3),

    CONSTRAINT "scheduled_messages_pkey" PRIMARY KEY ("account_id", "id")
);

ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_account_id_chat_id_fkey" FOREIGN KEY ("account_id", "chat_id") REFERENCES "chats"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE UNIQUE INDEX "scheduled_messages_account_id_idempotency_key_key" ON "scheduled_messages"("account_id", "idempotency_key") WHERE (idempotency_key IS NOT NULL);

CREATE INDEX "scheduled_messages_account_id_chat_id_due_at_position_idx" ON "scheduled_messages"("account_id", "chat_id", "due_at", "position");

CREATE INDEX "scheduled_messages_account_id_due_at_position_idx" ON "scheduled_messages"("account_id", "due_at", "position") WHERE (due_at IS NOT NULL);

CREATE INDEX "scheduled_messages_due_at_position_idx" ON "scheduled_messages"("due_at", "position") WHERE (due_at IS NOT NULL);
