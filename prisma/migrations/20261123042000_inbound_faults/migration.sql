-- Messages from simulated phones that a fault holds back, and messages to them whose sender gets no answer.
CREATE TABLE "simulator_delayed_messages" (
    "account_id" UUID NOT NULL,
    "ref" TEXT NOT NULL,
    "line_id" UUID NOT NULL,
    "report" JSON NOT NULL,
    "parts" JSON NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "simulator_delayed_messages_pkey" PRIMARY KEY ("account_id", "ref")
);

CREATE INDEX "simulator_delayed_messages_due_at_idx" ON "simulator_delayed_messages"("due_at");

ALTER TABLE "simulator_delayed_messages" ADD CONSTRAINT "simulator_delayed_messages_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "simulator_messages" ADD COLUMN "is_unconfirmed" BOOLEAN NOT NULL DEFAULT false;
