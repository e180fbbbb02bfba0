-- CreateTable
CREATE TABLE "chat_actions" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "message_id" UUID,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "trace_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "run_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "chat_actions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "simulator_actions" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "handles" TEXT[],
    "group_ref" TEXT,
    "action" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "simulator_actions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "chat_actions_run_at_idx" ON "chat_actions"("run_at");

-- CreateIndex
CREATE INDEX "chat_actions_account_id_chat_id_id_idx" ON "chat_actions"("account_id", "chat_id", "id");

-- CreateIndex
CREATE INDEX "simulator_actions_handles_idx" ON "simulator_actions" USING GIN ("handles");


