-- Whether no send of the account has this idempotency key. Volatile PL/pgSQL reads with a snapshot of its own, so that a
-- statement that waited for the count of the day sees the sends before it.
CREATE FUNCTION is_send_key_free(account uuid, key text) RETURNS boolean
  LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $$
BEGIN
  RETURN key IS NULL OR NOT EXISTS (
    SELECT FROM messages m WHERE m.account_id = account AND m.idempotency_key = key);
END
$$;
