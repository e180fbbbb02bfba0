-- Named snapshots of a sandbox account's state, with the rows of each table.
CREATE TABLE "simulator_snapshots" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "row_count" INTEGER NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "simulator_snapshots_pkey" PRIMARY KEY ("account_id", "id"),
    CONSTRAINT "simulator_snapshots_size_check" CHECK ("row_count" >= 0 AND "size_bytes" >= 0)
);

CREATE UNIQUE INDEX "simulator_snapshots_account_id_name_key" ON "simulator_snapshots"("account_id", "name");

CREATE INDEX "simulator_snapshots_created_at_idx" ON "simulator_snapshots"("created_at");

ALTER TABLE "simulator_snapshots" ADD CONSTRAINT "simulator_snapshots_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE TABLE "simulator_snapshot_tables" (
    "account_id" UUID NOT NULL,
    "snapshot_id" UUID NOT NULL,
    "table_name" TEXT NOT NULL,
    "rows" JSON NOT NULL,

    CONSTRAINT "simulator_snapshot_tables_pkey" PRIMARY KEY ("account_id", "snapshot_id", "table_name")
);

ALTER TABLE "simulator_snapshot_tables" ADD CONSTRAINT "simulator_snapshot_tables_account_id_snapshot_id_fkey"
    FOREIGN KEY ("account_id", "snapshot_id") REFERENCES "simulator_snapshots"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
