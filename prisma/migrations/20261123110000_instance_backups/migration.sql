-- Finished backups, for the operator's page and for the warning about a backup that is too old.
CREATE TABLE "instance_backups" (
  "id" UUID NOT NULL,
  "folder" TEXT NOT NULL,
  "database" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3) NOT NULL,
  "file_count" INTEGER,
  "file_bytes" BIGINT,
  CONSTRAINT "instance_backups_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "instance_backups_database_check" CHECK ("database" IN ('cluster', 'dump')),
  CONSTRAINT "instance_backups_files_check" CHECK ("file_count" >= 0 AND "file_bytes" >= 0)
);
CREATE INDEX "instance_backups_ended_at_idx" ON "instance_backups" ("ended_at" DESC);
