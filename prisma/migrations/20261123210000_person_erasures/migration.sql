-- Erasing a person: the secret of the account's hashes of handles, the opt-outs and blocks that stay, and the job.
ALTER TABLE "accounts" ADD COLUMN "handle_pepper" BYTEA;

CREATE TABLE "erased_handles" (
  "account_id" UUID NOT NULL,
  "hash" BYTEA NOT NULL,
  "erasure_id" UUID NOT NULL,
  "opted_out_at" TIMESTAMPTZ(3),
  "opt_out_keyword" TEXT,
  "blocked_at" TIMESTAMPTZ(3),
  CONSTRAINT "erased_handles_pkey" PRIMARY KEY ("account_id", "hash"),
  CONSTRAINT "erased_handles_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
    ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE TABLE "person_erasures" (
  "account_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "handle" TEXT,
  "handle_hash" BYTEA NOT NULL,
  "actor_type" TEXT NOT NULL CONSTRAINT "person_erasures_actor_type_check" CHECK ("actor_type" IN ('user', 'api', 'system')),
  "actor_id" UUID,
  "trace_id" TEXT NOT NULL,
  "requested_at" TIMESTAMPTZ(3) NOT NULL,
  "step" TEXT,
  "cursor" JSONB,
  "up_to_seq" BIGINT,
  "closed_at" TIMESTAMPTZ(3),
  "erased_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  "file_ids" UUID[] NOT NULL DEFAULT '{}',
  "counts" JSONB NOT NULL DEFAULT '{}',
  "run_at" TIMESTAMPTZ(3),
  "lease_until" TIMESTAMPTZ(3),
  "attempts" INTEGER NOT NULL DEFAULT 0 CONSTRAINT "person_erasures_attempts_check" CHECK ("attempts" >= 0),
  CONSTRAINT "person_erasures_pkey" PRIMARY KEY ("account_id", "id"),
  CONSTRAINT "person_erasures_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
    ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "person_erasures_one_at_a_time" ON "person_erasures" ("account_id", "handle") WHERE handle IS NOT NULL;
CREATE INDEX "person_erasures_account_id_handle_hash_id_idx" ON "person_erasures" ("account_id", "handle_hash", "id" DESC);
CREATE INDEX "person_erasures_run_at_idx" ON "person_erasures" ("run_at") WHERE run_at IS NOT NULL;
