-- CreateTable
CREATE TABLE "token_minutes" (
    "account_id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "token_minutes_pkey" PRIMARY KEY ("account_id","token_id","minute")
);

-- CreateIndex
CREATE INDEX "token_minutes_minute_idx" ON "token_minutes"("minute");
