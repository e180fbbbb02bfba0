-- The throughput of a line's connection, and when its next message may be sent.
ALTER TABLE "lines"
  ADD COLUMN "sends_per_second" DOUBLE PRECISION,
  ADD COLUMN "next_send_at" TIMESTAMPTZ(6),
  ADD CONSTRAINT "lines_sends_per_second_check" CHECK ("sends_per_second" > 0);
