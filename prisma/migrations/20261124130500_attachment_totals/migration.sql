-- The stored files of each tier and their bytes, in place of a count over all of them. Triggers keep the totals, so that
-- every statement that stores, moves or deletes files does, also those of older versions.
CREATE TABLE "attachment_totals" (
  "account_id" UUID NOT NULL,
  "tier" "attachment_tier" NOT NULL,
  "shard" INTEGER NOT NULL,
  "count" INTEGER NOT NULL,
  "size_bytes" BIGINT NOT NULL,
  CONSTRAINT "attachment_totals_pkey" PRIMARY KEY ("account_id", "tier", "shard"),
  CONSTRAINT "attachment_totals_shard_check" CHECK (shard >= 0)
);

ALTER TABLE "attachment_totals" ADD CONSTRAINT "attachment_totals_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- A file counts while it is complete. Connections add to different shards, so that they seldom wait for each other. The
-- files of a deleted account are deleted after it.
CREATE FUNCTION add_to_attachment_totals(accounts_ uuid[], tiers attachment_tier[], counts integer[], sizes bigint[])
  RETURNS void
  LANGUAGE sql
AS $$
  insert into attachment_totals (account_id, tier, shard, count, size_bytes)
  select account_id, tier, pg_backend_pid() % 16, sum(count), sum(size_bytes)
  from unnest(accounts_, tiers, counts, sizes) as change(account_id, tier, count, size_bytes)
  where exists (select 1 from accounts a where a.id = change.account_id)
  group by account_id, tier
  having sum(count) <> 0 or sum(size_bytes) <> 0
  order by account_id, tier
  on conflict (account_id, tier, shard) do update
  set count = attachment_totals.count + excluded.count,
    size_bytes = attachment_totals.size_bytes + excluded.size_bytes
$$;

CREATE FUNCTION total_attachments() RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  change record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(account_id) AS accounts, array_agg(tier) AS tiers, array_agg(1) AS counts, array_agg(size_bytes) AS sizes
    INTO change FROM stored WHERE status = 'complete';
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(account_id) AS accounts, array_agg(tier) AS tiers, array_agg(-1) AS counts, array_agg(-size_bytes) AS sizes
    INTO change FROM gone WHERE status = 'complete';
  ELSE
    SELECT array_agg(account_id) AS accounts, array_agg(tier) AS tiers, array_agg(sign) AS counts,
      array_agg(sign * size_bytes) AS sizes
    INTO change FROM (
      SELECT account_id, tier, 1 AS sign, size_bytes FROM stored WHERE status = 'complete'
      UNION ALL
      SELECT account_id, tier, -1, size_bytes FROM gone WHERE status = 'complete'
    ) changed;
  END IF;
  IF change.accounts IS NOT NULL THEN
    PERFORM add_to_attachment_totals(change.accounts, change.tiers, change.counts, change.sizes);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER attachments_stored AFTER INSERT ON attachments REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION total_attachments();
CREATE TRIGGER attachments_changed AFTER UPDATE ON attachments REFERENCING OLD TABLE AS gone NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION total_attachments();
CREATE TRIGGER attachments_gone AFTER DELETE ON attachments REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION total_attachments();

INSERT INTO attachment_totals (account_id, tier, shard, count, size_bytes)
SELECT account_id, tier, 0, count(*), sum(size_bytes) FROM attachments WHERE status = 'complete' GROUP BY account_id, tier;

CREATE OR REPLACE FUNCTION has_storage_room(account uuid, more bigint, most bigint, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  if most is null then
    return true;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('storage ' || account::text, 0));
  return more + (
    select coalesce(sum(t.size_bytes), 0) from attachment_totals t where t.account_id = account
  ) + (
    select coalesce(sum(a.size_bytes), 0) from attachments a
    where a.account_id = account and a.status <> 'complete' and a.status <> 'failed'
      and a.created_at > at - interval '30 minutes'
  ) <= most;
end
$$;

-- Only counted the files above.
DROP INDEX "attachments_stored_idx";
