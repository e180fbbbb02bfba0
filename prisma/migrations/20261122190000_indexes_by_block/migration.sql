-- Equal keys of an index are stored once. These indexes of events and of the request log contain a block of numbers, ids
-- or times instead of each row's own, so that many rows share a key (docs/schema.md).
DROP INDEX "events_account_id_type_seq_idx";
DROP INDEX "events_account_id_line_id_seq_idx";
DROP INDEX "events_account_id_chat_id_seq_idx";
DROP INDEX "events_account_id_created_at_seq_idx";
DROP INDEX "events_account_id_trace_id_idx";

CREATE INDEX "events_type_idx" ON "events" ("account_id", "type", ("seq" >> 12)) WHERE NOT "internal";
CREATE INDEX "events_line_idx" ON "events" ("account_id", "line_id", ("seq" >> 12))
  WHERE NOT "internal" AND "line_id" IS NOT NULL;
CREATE INDEX "events_chat_idx" ON "events" ("account_id", "chat_id", ("seq" >> 16))
  WHERE NOT "internal" AND "chat_id" IS NOT NULL;
CREATE INDEX "events_time_idx" ON "events"
  ("account_id", date_bin(interval '10 seconds', "created_at", timestamptz '1970-01-01 00:00:00+00'))
  WHERE NOT "internal";
CREATE INDEX "events_trace_idx" ON "events" ("account_id", left("trace_id", 10)) WHERE NOT "internal";

DROP INDEX "api_requests_account_id_route_id_idx";
DROP INDEX "api_requests_account_id_method_id_idx";
DROP INDEX "api_requests_account_id_token_id_id_idx";
DROP INDEX "api_requests_account_id_line_id_idx";
DROP INDEX "api_requests_account_id_chat_id_id_idx";
DROP INDEX "api_requests_account_id_trace_id_idx";

CREATE INDEX "api_requests_route_idx" ON "api_requests" ("account_id", "route", (left("id"::text, 8) COLLATE "C"));
CREATE INDEX "api_requests_method_idx" ON "api_requests" ("account_id", "method", (left("id"::text, 8) COLLATE "C"));
CREATE INDEX "api_requests_token_idx" ON "api_requests" ("account_id", "token_id", (left("id"::text, 8) COLLATE "C"));
CREATE INDEX "api_requests_line_idx" ON "api_requests" ("account_id", "line", (left("id"::text, 8) COLLATE "C"))
  WHERE "line" IS NOT NULL;
CREATE INDEX "api_requests_account_id_chat_id_idx" ON "api_requests" ("account_id", "chat_id") WHERE "chat_id" IS NOT NULL;
CREATE INDEX "api_requests_trace_idx" ON "api_requests" ("account_id", left("trace_id", 10));

-- New rows are added at the end of an ascending index, where PostgreSQL fills its pages. At the beginning of a
-- descending one, it leaves them half empty.
DROP INDEX "webhook_deliveries_account_id_subscription_id_created_at_id_idx";
CREATE INDEX "webhook_deliveries_account_id_subscription_id_created_at_id_idx"
  ON "webhook_deliveries" ("account_id", "subscription_id", "created_at", "id");
