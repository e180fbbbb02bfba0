-- The vendor account behind each connection that a line has had: at the number of a connection, the number of the first
-- connection to the same account, where this is another one. Receipts of a vendor account belong to its connections only.
ALTER TABLE "lines" ADD COLUMN "connection_vendors" INTEGER[] NOT NULL DEFAULT '{}';

-- The vendor has reported the end of the message, where the status of the message does not show it: SMS and groups.
ALTER TABLE "transport_refs" ADD COLUMN "is_final" BOOLEAN NOT NULL DEFAULT false;
