-- CreateTable
CREATE TABLE "key_canaries" (
    "key_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "key_canaries_pkey" PRIMARY KEY ("key_id")
);
