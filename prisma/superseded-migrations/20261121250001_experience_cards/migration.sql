-- CreateEnum
CREATE TYPE "card_state" AS ENUM ('open', 'done', 'ended');

-- CreateTable
CREATE TABLE "experience_cards" (
    "account_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "asks_for" TEXT,
    "state" "card_state" NOT NULL DEFAULT 'open',
    "due_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "experience_cards_pkey" PRIMARY KEY ("account_id","message_id")
);

-- CreateIndex
CREATE INDEX "experience_cards_account_id_subject_id_idx" ON "experience_cards"("account_id", "subject_id");

-- CreateIndex
CREATE INDEX "experience_cards_due_at_idx" ON "experience_cards"("due_at") WHERE (due_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "events_payment_notes_idx" ON "events"("account_id", "chat_id", "seq") WHERE (type LIKE 'payment_request.%' AND chat_id IS NOT NULL);
