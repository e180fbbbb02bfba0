-- Named positions in the event log of an account, from which programs poll events. Its rows are read by their key; the events
-- after a position by the primary key of events, which begins with the account and the number.
CREATE TABLE "event_consumers" (
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "types" TEXT[] NOT NULL,
    "phone_numbers" TEXT[] NOT NULL,
    "version" TEXT NOT NULL,
    "start" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "delivered_through" BIGINT NOT NULL,
    "lease" UUID,
    "lease_expires_at" TIMESTAMPTZ(3),
    "lease_seconds" INTEGER,
    "lost_through" BIGINT,
    "polled_at" TIMESTAMPTZ(3),
    "active_at" TIMESTAMPTZ(3) NOT NULL,
    "warned_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_consumers_pkey" PRIMARY KEY ("account_id", "name"),
    CONSTRAINT "event_consumers_position_check" CHECK (position >= 0 AND delivered_through >= 0),
    CONSTRAINT "event_consumers_version_check" CHECK (version IN ('2025-01-01', '2026-02-03'))
);

ALTER TABLE "event_consumers" ADD CONSTRAINT "event_consumers_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
