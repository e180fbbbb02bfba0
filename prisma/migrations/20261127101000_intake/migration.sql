-- Events of transports that could not be stored for their content, and what transports refused.
CREATE TABLE "set_aside_events" (
  "account_id" UUID NOT NULL,
  "line_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "digest" BYTEA NOT NULL,
  "type" TEXT NOT NULL,
  "handles" TEXT[] NOT NULL DEFAULT '{}',
  "reason" TEXT NOT NULL,
  "payload" BYTEA,
  "times" INTEGER NOT NULL DEFAULT 1 CONSTRAINT "set_aside_events_times_check" CHECK ("times" > 0),
  "first_at" TIMESTAMPTZ(3) NOT NULL,
  "last_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "set_aside_events_pkey" PRIMARY KEY ("account_id", "line_id", "id"),
  CONSTRAINT "set_aside_events_account_id_line_id_fkey" FOREIGN KEY ("account_id", "line_id")
    REFERENCES "lines"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "set_aside_events_account_id_line_id_digest_key" ON "set_aside_events" ("account_id", "line_id", "digest");

-- Files of inbound messages that could not be had when the message came, and are fetched later.
CREATE TABLE "awaited_files" (
  "account_id" UUID NOT NULL,
  "attachment_id" UUID NOT NULL,
  "line_id" UUID NOT NULL,
  "message_id" UUID NOT NULL,
  "source" BYTEA NOT NULL,
  "attempts" INTEGER NOT NULL DEFAULT 0 CONSTRAINT "awaited_files_attempts_check" CHECK ("attempts" >= 0),
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  "lease_until" TIMESTAMPTZ(3),
  CONSTRAINT "awaited_files_pkey" PRIMARY KEY ("account_id", "attachment_id"),
  CONSTRAINT "awaited_files_account_id_attachment_id_fkey" FOREIGN KEY ("account_id", "attachment_id")
    REFERENCES "attachments"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE INDEX "awaited_files_due_at_idx" ON "awaited_files" ("due_at");
