-- The names by which people are found, as chats_search_idx those of groups. Few contacts have a name. In a migration of its own,
-- so that only contacts is locked while the index is built.
CREATE INDEX "contacts_search_idx" ON "contacts" USING gin (search_pieces(account_id, search_text(name))) WHERE name IS NOT NULL;
