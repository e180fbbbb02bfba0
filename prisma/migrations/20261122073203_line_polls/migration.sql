-- Vendors without callbacks are polled, line by line: the cursor, the due time, the lease of the polling process and the
-- failures in a row, which lengthen the pause.
ALTER TABLE "lines" ADD COLUMN "poll_cursor" TEXT,
  ADD COLUMN "poll_due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT '1970-01-01 00:00:00 +00:00',
  ADD COLUMN "poll_lease_until" TIMESTAMPTZ(3),
  ADD COLUMN "poll_failures" INTEGER NOT NULL DEFAULT 0,
  ADD CONSTRAINT "lines_poll_failures_check" CHECK ("poll_failures" >= 0);

CREATE INDEX "lines_transport_poll_due_at_idx" ON "lines"("transport", "poll_due_at")
  WHERE (connection IS NOT NULL AND released_at IS NULL);
