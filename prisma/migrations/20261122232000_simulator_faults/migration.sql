-- Faults that a sandbox account injects into its API calls, its simulated network and its webhook deliveries.
CREATE TABLE "simulator_faults" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "match" JSONB NOT NULL,
    "effect" JSONB NOT NULL,
    "condition" JSONB NOT NULL,
    "matched" BIGINT NOT NULL DEFAULT 0,
    "applied" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "simulator_faults_pkey" PRIMARY KEY ("account_id", "id"),
    CONSTRAINT "simulator_faults_counts_check" CHECK ("matched" >= 0 AND "applied" >= 0)
);

ALTER TABLE "simulator_faults" ADD CONSTRAINT "simulator_faults_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
