-- Scheduled messages that were refused when they were due stay for the dashboard's list, without content.
ALTER TABLE "scheduled_messages" ADD COLUMN "refused_at" TIMESTAMPTZ(3);
