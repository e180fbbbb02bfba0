-- The API explorer's tokens belong to a session: they end with it and can do what the user's role can do.
ALTER TABLE "api_tokens" ADD COLUMN "session_id" UUID, ADD COLUMN "role" "role",
  ADD CONSTRAINT "api_tokens_session_role_check"
    CHECK ((session_id IS NULL) = (role IS NULL) AND (session_id IS NULL OR expires_at IS NOT NULL));
