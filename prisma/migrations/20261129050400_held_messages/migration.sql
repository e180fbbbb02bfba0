-- Whether a scheduled message waits for the end of quiet hours.
ALTER TABLE "scheduled_messages" ADD COLUMN "held" BOOLEAN;
