-- The platform clock can run faster or slower than the wall clock: its speed, and the wall time since which it has it.
ALTER TABLE "platform_clock" ADD COLUMN "rate" DOUBLE PRECISION NOT NULL DEFAULT 1,
  ADD COLUMN "rate_from" TIMESTAMPTZ(3),
  ADD CONSTRAINT "platform_clock_rate_check" CHECK ("rate" > 0 AND ("rate" = 1 OR "rate_from" IS NOT NULL));
