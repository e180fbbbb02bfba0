-- The time that a held message asked for: it is never sent before.
ALTER TABLE "scheduled_messages" ADD COLUMN "asked_at" TIMESTAMPTZ(3);
