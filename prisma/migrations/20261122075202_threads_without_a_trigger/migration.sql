-- The statements that insert messages look up the thread themselves.
DROP TRIGGER "messages_thread" ON "messages";
DROP FUNCTION "messages_thread"();
