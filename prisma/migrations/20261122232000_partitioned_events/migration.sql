-- Events and webhook attempts are partitioned by the event's number, so that retention drops partitions instead of
-- deleting rows (docs/decisions/0015). The rows so far become the first partitions.

-- An attempt is found by its event and its delivery, so its partition is known. Attempts get the number of their event.
ALTER TABLE "webhook_attempts" RENAME TO "webhook_attempts_old";
ALTER INDEX "webhook_attempts_pkey" RENAME TO "webhook_attempts_old_pkey";
CREATE TABLE "webhook_attempts" (
  LIKE "webhook_attempts_old" INCLUDING ALL EXCLUDING INDEXES,
  "event_seq" BIGINT NOT NULL
) PARTITION BY RANGE ("event_seq");

ALTER TABLE "events" RENAME TO "events_first";
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT i.indexrelid::regclass::text FROM pg_index i WHERE i.indrelid = 'events_first'::regclass LOOP
    EXECUTE format('ALTER INDEX %s RENAME TO %I', name, replace(name, 'events_', 'events_first_'));
  END LOOP;
END $$;

CREATE TABLE "events" (LIKE "events_first" INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE ("seq");
ALTER SEQUENCE "events_seq_seq" OWNED BY "events"."seq";

-- The first partitions end with a multiple of 2^22 that leaves room for as many new events.
DO $$
DECLARE
  "end" bigint;
BEGIN
  SELECT ((coalesce(max(seq), 0) >> 22) + CASE WHEN count(*) = 0 THEN 1 ELSE 2 END) << 22 INTO "end" FROM "events_first";
  EXECUTE format('ALTER TABLE "events" ATTACH PARTITION "events_first" FOR VALUES FROM (MINVALUE) TO (%s)', "end");
  EXECUTE format('CREATE TABLE "webhook_attempts_first" PARTITION OF "webhook_attempts" FOR VALUES FROM (MINVALUE) TO (%s)', "end");
END $$;
CREATE TABLE "events_default" PARTITION OF "events" DEFAULT;
CREATE TABLE "webhook_attempts_default" PARTITION OF "webhook_attempts" DEFAULT;

INSERT INTO "webhook_attempts"
SELECT a.*, d."event_seq" FROM "webhook_attempts_old" a
JOIN "webhook_deliveries" d ON d."account_id" = a."account_id" AND d."id" = a."delivery_id";
DROP TABLE "webhook_attempts_old";
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_pkey"
  PRIMARY KEY ("account_id", "event_seq", "delivery_id", "number");

CREATE OR REPLACE FUNCTION webhook_attempts_of_deleted() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
  DELETE FROM webhook_attempts a USING deleted d
  WHERE a.account_id = any(array[d.account_id]) AND a.event_seq = any(array[d.event_seq])
    AND a.delivery_id = any(array[d.id]);
  RETURN NULL;
END $$;

-- Indexes of the first partition that are equal to these become a part of them and are not built again.
ALTER TABLE "events" ADD CONSTRAINT "events_pkey" PRIMARY KEY ("account_id", "seq");
CREATE INDEX "events_seq_idx" ON "events" ("seq");
CREATE INDEX "events_account_id_id_idx" ON "events" ("account_id", "id") WHERE (NOT internal);
CREATE INDEX "events_account_id_message_id_idx" ON "events" ("account_id", "message_id") WHERE (message_id IS NOT NULL);
CREATE INDEX "events_type_idx" ON "events" ("account_id", "type", ("seq" >> 12)) WHERE NOT "internal";
CREATE INDEX "events_line_idx" ON "events" ("account_id", "line_id", ("seq" >> 12))
  WHERE NOT "internal" AND "line_id" IS NOT NULL;
CREATE INDEX "events_chat_idx" ON "events" ("account_id", "chat_id", ("seq" >> 16))
  WHERE NOT "internal" AND "chat_id" IS NOT NULL;
CREATE INDEX "events_time_idx" ON "events"
  ("account_id", date_bin(interval '10 seconds', "created_at", timestamptz '1970-01-01 00:00:00+00'))
  WHERE NOT "internal";
CREATE INDEX "events_trace_idx" ON "events" ("account_id", left("trace_id", 10)) WHERE NOT "internal";
CREATE INDEX "events_action_failed_idx" ON "events" ("account_id", "chat_id", "seq") WHERE (type = 'chat.action_failed');
CREATE INDEX "events_payment_facts_idx" ON "events" ("account_id", "trace_id") WHERE (type ~~ 'payment_request.%');
CREATE INDEX "events_payment_notes_idx" ON "events" ("account_id", "chat_id", "seq")
  WHERE (type ~~ 'payment_request.%' AND chat_id IS NOT NULL);
