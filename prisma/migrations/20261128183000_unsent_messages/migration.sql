-- When the network took an outbound message back; null for all messages so far.
ALTER TABLE "messages" ADD COLUMN "unsent_at" TIMESTAMPTZ(3);
