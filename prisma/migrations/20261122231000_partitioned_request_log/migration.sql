-- The request log is partitioned by the time in its ids, so that retention drops partitions instead of deleting rows
-- (docs/decisions/0015). The rows so far become the first partition, without a copy.
ALTER TABLE "api_requests" RENAME TO "api_requests_first";
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT i.indexrelid::regclass::text FROM pg_index i WHERE i.indrelid = 'api_requests_first'::regclass LOOP
    EXECUTE format('ALTER INDEX %s RENAME TO %I', name, replace(name, 'api_requests_', 'api_requests_first_'));
  END LOOP;
END $$;

CREATE TABLE "api_requests" (LIKE "api_requests_first" INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE ("id");
CREATE TABLE "api_requests_default" PARTITION OF "api_requests" DEFAULT;

-- The first partition ends with the next day (UTC). Rows of a platform clock that was moved beyond it go to the default
-- partition, which a job empties.
DO $$
DECLARE
  "end" uuid := (lpad(to_hex((extract(epoch FROM date_trunc('day', now(), 'UTC')) * 1000)::bigint + 2 * 86400000), 12, '0')
    || '70008000000000000000')::uuid;
BEGIN
  WITH moved AS (DELETE FROM "api_requests_first" WHERE "id" >= "end" RETURNING *)
  INSERT INTO "api_requests_default" SELECT * FROM moved;
  EXECUTE format('ALTER TABLE "api_requests" ATTACH PARTITION "api_requests_first" FOR VALUES FROM (MINVALUE) TO (%L)', "end");
END $$;

-- Indexes of the first partition that are equal to these become a part of them and are not built again.
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_pkey" PRIMARY KEY ("account_id", "id");
CREATE INDEX "api_requests_route_idx" ON "api_requests" ("account_id", "route", (left("id"::text, 8) COLLATE "C"));
CREATE INDEX "api_requests_method_idx" ON "api_requests" ("account_id", "method", (left("id"::text, 8) COLLATE "C"));
CREATE INDEX "api_requests_token_idx" ON "api_requests" ("account_id", "token_id", (left("id"::text, 8) COLLATE "C"));
CREATE INDEX "api_requests_line_idx" ON "api_requests" ("account_id", "line", (left("id"::text, 8) COLLATE "C"))
  WHERE "line" IS NOT NULL;
CREATE INDEX "api_requests_account_id_chat_id_idx" ON "api_requests" ("account_id", "chat_id") WHERE "chat_id" IS NOT NULL;
CREATE INDEX "api_requests_trace_idx" ON "api_requests" ("account_id", left("trace_id", 10));
CREATE INDEX "api_requests_failed_idx" ON "api_requests" ("account_id", "id") WHERE (status >= 400);
CREATE INDEX "api_requests_account_id_error_code_id_idx" ON "api_requests" ("account_id", "error_code", "id")
  WHERE (error_code IS NOT NULL);
