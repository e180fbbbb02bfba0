-- CreateTable
CREATE TABLE "simulator_accounts" (
    "account_id" UUID NOT NULL,
    "upload_urls_fail" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "simulator_accounts_pkey" PRIMARY KEY ("account_id")
);


