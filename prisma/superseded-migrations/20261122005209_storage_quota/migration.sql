-- Megabytes of files an account may store; null = as STORAGE_PER_ACCOUNT_MB says.
ALTER TABLE "accounts" ADD COLUMN     "storage_mb" INTEGER;

-- Whether an account can store more bytes within a limit (null = none). Until the transaction ends, the next who asks for
-- the same account waits, and then sees what this one stored. An upload that never came counts for as long as it could
-- still arrive.
CREATE FUNCTION "has_storage_room"(account uuid, more bigint, most bigint, at timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
begin
  if most is null then
    return true;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('storage ' || account::text, 0));
  return more + (
    select coalesce(sum(a.size_bytes), 0) from attachments a
    where a.account_id = account and a.status = 'complete'
  ) + (
    select coalesce(sum(a.size_bytes), 0) from attachments a
    where a.account_id = account and a.status <> 'complete' and a.status <> 'failed'
      and a.created_at > at - interval '30 minutes'
  ) <= most;
end
$$;
