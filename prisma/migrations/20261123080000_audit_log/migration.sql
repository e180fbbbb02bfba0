-- The audit log lists all entries of an account, filtered by object or actor, and the entries of the partner that belong to
-- no account. audit_entries_settings_idx served only the former list of settings changes.
DROP INDEX "audit_entries_settings_idx";
CREATE INDEX "audit_entries_object_type_idx" ON "audit_entries" ("account_id", "object_type", "id" DESC)
  WHERE (account_id IS NOT NULL);
CREATE INDEX "audit_entries_actor_type_idx" ON "audit_entries" ("account_id", "actor_type", "id" DESC)
  WHERE (account_id IS NOT NULL);
CREATE INDEX "audit_entries_actor_idx" ON "audit_entries" ("account_id", "actor_id", "id" DESC)
  WHERE (account_id IS NOT NULL AND actor_id IS NOT NULL);
CREATE INDEX "audit_entries_people_idx" ON "audit_entries" ("partner_id", "id" DESC) WHERE (account_id IS NULL);
