-- CreateTable
CREATE TABLE "passkey_enrollments" (
    "account_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "verification_id" UUID,
    "code_hash" BYTEA,
    "code_expires_at" TIMESTAMPTZ(3),
    "code_tries" INTEGER NOT NULL DEFAULT 0,
    "codes_sent" INTEGER NOT NULL DEFAULT 0,
    "codes_since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_enrollments_pkey" PRIMARY KEY ("account_id","handle")
);

-- CreateTable
CREATE TABLE "one_time_code_windows" (
    "account_id" UUID NOT NULL,
    "codes_sent" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "one_time_code_windows_pkey" PRIMARY KEY ("account_id")
);
