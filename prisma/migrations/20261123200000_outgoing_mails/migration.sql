-- Email to the dashboard's users: stored in the transaction that causes it, sent by a worker.
CREATE TABLE "outgoing_mails" (
  "id" UUID NOT NULL,
  "type" TEXT NOT NULL,
  "recipient" TEXT NOT NULL,
  "sealed" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "due_at" TIMESTAMPTZ(3),
  "give_up_at" TIMESTAMPTZ(3) NOT NULL,
  "leased_until" TIMESTAMPTZ(3),
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "last_error" TEXT,
  "sent_at" TIMESTAMPTZ(3),
  CONSTRAINT "outgoing_mails_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "outgoing_mails_type_check" CHECK ("type" IN ('invitation', 'password_reset', 'new_device', 'token_expiring', 'alert', 'test')),
  CONSTRAINT "outgoing_mails_attempts_check" CHECK ("attempts" >= 0)
);
CREATE INDEX "outgoing_mails_due_at_idx" ON "outgoing_mails" ("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "outgoing_mails_sent_at_idx" ON "outgoing_mails" ("sent_at" DESC) WHERE "sent_at" IS NOT NULL;
CREATE INDEX "outgoing_mails_created_at_idx" ON "outgoing_mails" ("created_at");
