-- CreateTable
CREATE TABLE "api_requests" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "error_code" INTEGER,
    "latency_ms" DOUBLE PRECISION NOT NULL,
    "line" TEXT,
    "chat_id" UUID,
    "message_ids" UUID[],
    "trace_id" TEXT NOT NULL,
    "user_agent" TEXT,
    "headers" JSONB NOT NULL,
    "request_body" TEXT,
    "response_body" TEXT,
    "request_bytes" INTEGER NOT NULL,
    "response_bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "api_requests_account_id_trace_id_idx" ON "api_requests"("account_id", "trace_id");

-- CreateIndex
CREATE INDEX "api_requests_account_id_route_id_idx" ON "api_requests"("account_id", "route", "id");

-- CreateIndex
CREATE INDEX "api_requests_account_id_method_id_idx" ON "api_requests"("account_id", "method", "id");

-- CreateIndex
CREATE INDEX "api_requests_account_id_token_id_id_idx" ON "api_requests"("account_id", "token_id", "id");

-- CreateIndex
CREATE INDEX "api_requests_account_id_line_id_idx" ON "api_requests"("account_id", "line", "id") WHERE (line IS NOT NULL);

-- CreateIndex
CREATE INDEX "api_requests_account_id_chat_id_id_idx" ON "api_requests"("account_id", "chat_id", "id") WHERE (chat_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "api_requests_failed_idx" ON "api_requests"("account_id", "id") WHERE (status >= 400);

-- CreateIndex
CREATE INDEX "api_requests_account_id_error_code_id_idx" ON "api_requests"("account_id", "error_code", "id") WHERE (error_code IS NOT NULL);
