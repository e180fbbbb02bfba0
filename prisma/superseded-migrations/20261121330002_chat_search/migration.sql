-- What a search compares of a handle or a name: in lower case, without a plus, after two spaces, so that one or two
-- letters find what begins with them.
CREATE FUNCTION "search_text"(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ select '  ' || ltrim(lower(value), '+') $$;

-- The pieces of three letters in it, each behind the end of its account's id: what an index without extensions finds.
CREATE FUNCTION "search_pieces"(account uuid, value text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
  select coalesce(array_agg(distinct right(account::text, 12) || substr(value, piece, 3)), '{}')
  from generate_series(1, length(value) - 2) as piece
$$;

CREATE INDEX "participants_search_idx" ON "participants"
  USING gin ("search_pieces"("account_id", "search_text"("handle"))) WHERE (NOT is_me);

CREATE INDEX "chats_search_idx" ON "chats"
  USING gin ("search_pieces"("account_id", "search_text"("display_name"))) WHERE (display_name IS NOT NULL);
