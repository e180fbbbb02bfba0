-- Customers with one status, most recently changed first. Without it, all customers of the account were read.
CREATE INDEX "handle_connections_account_id_status_updated_at_handle_idx"
  ON "handle_connections" ("account_id", "status", "updated_at" DESC, "handle");
