-- What happens to a scheduled message in quiet hours.
ALTER TABLE "scheduled_messages" ADD COLUMN "quiet_choice" TEXT;
