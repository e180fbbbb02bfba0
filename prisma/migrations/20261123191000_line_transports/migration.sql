-- The failover order of a line's transports, and the connection that may have a message.
ALTER TABLE "lines"
  ADD COLUMN "connection_number" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "connections_made" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "transport_position" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "failover_seconds" INTEGER,
  ADD CONSTRAINT "lines_connections_check" CHECK ("connection_number" >= 0 AND "connections_made" >= 0),
  ADD CONSTRAINT "lines_transport_position_check" CHECK ("transport_position" >= 0),
  ADD CONSTRAINT "lines_failover_seconds_check" CHECK ("failover_seconds" > 0);

CREATE INDEX "lines_down_since_idx" ON "lines"("down_since")
  WHERE NOT is_up AND failover_seconds IS NOT NULL AND released_at IS NULL;

CREATE TABLE "line_standbys" (
  "account_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "line_id" UUID NOT NULL,
  "position" INTEGER NOT NULL,
  "transport" TEXT NOT NULL,
  "connection" BYTEA NOT NULL,
  "connection_number" INTEGER NOT NULL,
  "poll_cursor" TEXT,
  CONSTRAINT "line_standbys_pkey" PRIMARY KEY ("account_id", "id"),
  CONSTRAINT "line_standbys_account_id_line_id_fkey" FOREIGN KEY ("account_id", "line_id") REFERENCES "lines"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT "line_standbys_check" CHECK ("position" >= 0 AND "connection_number" > 0)
);

CREATE UNIQUE INDEX "line_standbys_account_id_line_id_position_key" ON "line_standbys"("account_id", "line_id", "position");

ALTER TABLE "messages" ADD COLUMN "dispatch_connection" INTEGER;
