CREATE TYPE "phone_connection" AS ENUM ('online', 'airplane_mode', 'battery_dead');

ALTER TABLE "simulator_phones" ADD COLUMN "connection" "phone_connection" NOT NULL DEFAULT 'online';
