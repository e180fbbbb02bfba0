-- Refunds and disputes of paid requests, as the processor reports them.
CREATE TABLE "payment_reversals" (
  "account_id" UUID NOT NULL,
  "payment_request_id" UUID NOT NULL,
  "id" TEXT NOT NULL,
  "type" TEXT NOT NULL
    CONSTRAINT "payment_reversals_type_check" CHECK ("type" IN ('refund', 'dispute')),
  "status" TEXT NOT NULL
    CONSTRAINT "payment_reversals_status_check" CHECK ("status" IN ('pending', 'succeeded', 'failed', 'needs_response', 'under_review', 'won', 'lost', 'closed')),
  "amount_minor" BIGINT NOT NULL
    CONSTRAINT "payment_reversals_amount_minor_check" CHECK ("amount_minor" >= 0),
  "currency" TEXT NOT NULL
    CONSTRAINT "payment_reversals_currency_check" CHECK ("currency" ~ '^[a-z]{3}$'),
  "reason" TEXT,
  "respond_by" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "read_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "payment_reversals_pkey" PRIMARY KEY ("account_id", "payment_request_id", "id"),
  CONSTRAINT "payment_reversals_account_id_payment_request_id_fkey" FOREIGN KEY ("account_id", "payment_request_id")
    REFERENCES "payment_requests" ("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);
