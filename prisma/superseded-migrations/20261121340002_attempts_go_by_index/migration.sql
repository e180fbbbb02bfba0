-- Whoever deletes, with whatever settings: each delivery's attempts are found by their key, never by reading the table.
ALTER FUNCTION "webhook_attempts_of_deleted"() SET enable_seqscan = off;
ALTER FUNCTION "webhook_attempts_of_deleted"() SET enable_bitmapscan = off;
