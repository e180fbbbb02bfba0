-- The bodies of a message's requests were found among all requests of its chat. Most requests with one message are those
-- that created it, and their id begins with the same 36 bits (4.1 seconds). This index has the others.
CREATE INDEX "api_requests_message_ids_idx" ON "api_requests" USING gin ("message_ids") WITH (fastupdate = off)
  WHERE cardinality("message_ids") > 1 OR left("message_ids"[1]::text, 10) <> left("id"::text, 10);

-- The content of old messages on phones was found by reading the whole table, and the actions on a message by reading
-- all actions of the account.
CREATE INDEX "simulator_messages_content_idx" ON "simulator_messages" ("account_id", "created_at") WHERE "parts" <> '[]';
CREATE INDEX "simulator_actions_ref_idx" ON "simulator_actions" ("account_id", ("action" ->> 'ref'));
