-- Reports of the processes of the instance, for the operator's page and the warning about a full disk.
CREATE TABLE "instance_processes" (
  "id" UUID NOT NULL,
  "role" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "pid" INTEGER NOT NULL,
  "version" TEXT NOT NULL,
  "node_version" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  "rss_bytes" BIGINT NOT NULL,
  "pools" JSON NOT NULL,
  "disk_folder" TEXT,
  "disk_free_bytes" BIGINT,
  "disk_size_bytes" BIGINT,
  CONSTRAINT "instance_processes_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "instance_processes_role_check" CHECK ("role" IN ('web', 'worker', 'all'))
);
CREATE INDEX "instance_processes_seen_at_idx" ON "instance_processes" ("seen_at" DESC);
