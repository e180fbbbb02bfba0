-- The time zone of a person, for quiet hours.
ALTER TABLE "contacts" ADD COLUMN "time_zone" TEXT;
