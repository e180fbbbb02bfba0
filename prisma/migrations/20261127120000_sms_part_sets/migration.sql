-- The parts of a long SMS are stored before they are acknowledged to the SMS center.
CREATE TABLE "sms_part_sets" (
  "account_id" UUID NOT NULL,
  "line_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "handle" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "total" SMALLINT NOT NULL,
  "parts" JSONB NOT NULL,
  "last_part_at" TIMESTAMPTZ(3) NOT NULL,
  "closed_at" TIMESTAMPTZ(3),
  "stored_at" TIMESTAMPTZ(3),
  CONSTRAINT "sms_part_sets_pkey" PRIMARY KEY ("account_id", "id"),
  CONSTRAINT "sms_part_sets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE NO ACTION
);
-- The set that takes parts.
CREATE UNIQUE INDEX "sms_part_sets_open_key" ON "sms_part_sets" ("account_id", "line_id", "handle", "reference", "total")
  WHERE "closed_at" IS NULL;
CREATE INDEX "sms_part_sets_account_id_line_id_handle_reference_total_idx"
  ON "sms_part_sets" ("account_id", "line_id", "handle", "reference", "total");
CREATE INDEX "sms_part_sets_due_idx" ON "sms_part_sets" ("last_part_at") WHERE "stored_at" IS NULL;
CREATE INDEX "sms_part_sets_stored_at_idx" ON "sms_part_sets" ("stored_at");
