-- The name that the account's people gave a handle, or that a contact card from it contained.
ALTER TABLE "contacts" ADD COLUMN "name" TEXT, ADD COLUMN "name_source" TEXT
  CONSTRAINT "contacts_name_source_check" CHECK ("name_source" IN ('person', 'contact_card'));
-- The payment requests that a chat contains, for the page of a customer.
CREATE INDEX "payment_request_messages_account_id_chat_id_idx"
  ON "payment_request_messages" ("account_id", "chat_id", "payment_request_id" DESC);
