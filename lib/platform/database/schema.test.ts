import "@/lib/testing/use-test-database";

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { sql, transaction } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";

const CHECK_VIOLATION = "23514";
const TENANT = `exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id')`;
// Partitions have the columns, indexes and constraints of their table.
const OURS = "c.relnamespace = current_schema()::regnamespace and not c.relispartition";

describe("docs/schema.md lists", () => {
  let document: string;

  beforeAll(() => {
    document = readFileSync("docs/schema.md", "utf8");
  });

  test("every index of an account's table that does not lead with the account", async () => {
    const indexes = await names(`
      select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
      where ${OURS} and ${TENANT} and pg_get_indexdef(i.indexrelid, 1, true) <> 'account_id'`);

    expect(indexes).toEqual(listed("Indexes that do not lead with the account"));
  });

  test("every table of an account without a foreign key", async () => {
    const tables = await names(`
      select c.relname as name from pg_class c
      where ${OURS} and c.relkind in ('r', 'p') and ${TENANT}
        and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f')`);

    expect(tables).toEqual(listed("Tables of an account without a foreign key"));
  });

  test("every partitioned table, each with a default partition", async () => {
    const tables = await names(`select c.relname as name from pg_class c where ${OURS} and c.relkind = 'p'`);
    const defaults = await names(`
      select i.inhparent::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where c.relkind = 'r' and c.relname = i.inhparent::regclass::text || '_default'
        and pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT'`);

    expect(tables).toEqual(listed("Partitioned tables"));
    expect(defaults).toEqual(tables);
  });

  test("every trigger", async () => {
    const triggers = await names(`
      select t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where ${OURS} and not t.tgisinternal and t.tgparentid = 0`);

    expect(triggers).toEqual(listed("Triggers"));
  });

  test("every column that PostgreSQL's clock fills", async () => {
    const columns = await names(`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = current_schema() and column_default ~* 'current_timestamp|now\\(|_timestamp\\('
        and table_name <> '_prisma_migrations'`);

    expect(columns).toEqual(listed("Columns that PostgreSQL's clock fills"));
  });

  test("every column of an amount without its currency beside it", async () => {
    const columns = await names(`
      select table_name || '.' || column_name as name from information_schema.columns amount
      where table_schema = current_schema() and column_name like '%\\_minor' and not exists (
        select from information_schema.columns beside
        where beside.table_schema = amount.table_schema and beside.table_name = amount.table_name
          and beside.column_name = 'currency' and beside.is_nullable = 'NO')`);

    expect(columns).toEqual(listed("Amounts without a currency beside them"));
  });

  function listed(title: string): string[] {
    const section = document.split("\n## ").find((text) => text.startsWith(title)) ?? "";
    return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? "").sort();
  }
});

test("every foreign key has an index that begins with its columns", async () => {
  const unindexed = await names(`
    select k.conname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
    where ${OURS} and k.contype = 'f' and not exists (
      select from pg_index i where i.indrelid = k.conrelid and i.indpred is null
        and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)`);

  expect(unindexed).toEqual([]);
});

test("every column and check about money says that it is in minor units", async () => {
  const money = "amount|price|charge|cents|spen[dt]|fee|balance|cost|money|max_per_|total_paid";
  const unnamed = await names(`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and column_name ~ '${money}' and column_name !~ '_minor$'
      and data_type in ('smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision')
    union all
    select k.conname from pg_constraint k join pg_class c on c.oid = k.conrelid
    where ${OURS} and k.contype = 'c' and k.conname ~ '${money}' and pg_get_constraintdef(k.oid) !~ '_minor'`);
  const amounts = await names(`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and column_name like '%\\_minor'`);

  expect(unnamed).toEqual([]);
  expect(amounts).toContain("payment_requests.charged_minor");
  expect(amounts).toContain("sandbox_orders.amount_minor");
});

test("every amount has a check that it is not negative", async () => {
  const unchecked = await names(`
    select table_name || '.' || column_name as name from information_schema.columns amount
    where table_schema = current_schema() and column_name like '%\\_minor' and not exists (
      select from pg_constraint k where k.conrelid = to_regclass(amount.table_name) and k.contype = 'c'
        and pg_get_constraintdef(k.oid) ~ (amount.column_name || ' >=? 0'))`);

  expect(unchecked).toEqual([]);
});

/** A rejected value for each check constraint: the column, and the value as SQL. */
const REFUSED: Readonly<Record<string, readonly [column: string, value: string]>> = {
  accounts_retention_minutes_check: ["retention_minutes", "0"],
  accounts_take_over_minutes_check: ["take_over_minutes", "0"],
  accounts_requests_per_minute_check: ["requests_per_minute", "-1"],
  accounts_daily_messages_check: ["daily_messages", "-1"],
  accounts_pair_messages_check: ["pair_messages", "-1"],
  accounts_storage_mb_check: ["storage_mb", "-1"],
  accounts_color_check: ["color", "'mauve'"],
  accounts_disposable_check: ["disposable_until", "now()"],
  accounts_default_webhook_version_check: ["default_webhook_version", "'other'"],
  account_days_messages_check: ["messages", "-1"],
  account_hours_count_check: ["count", "-1"],
  account_hours_latency_step_check: ["latency_step", "-1"],
  account_hours_metric_check: ["metric", "'other'"],
  agent_pay_settings_max_per_payment_minor_check: ["max_per_payment_minor", "-1"],
  agent_pay_settings_max_per_handle_day_minor_check: ["max_per_handle_day_minor", "-1"],
  agent_pay_settings_approval_above_minor_check: ["approval_above_minor", "-1"],
  agent_payments_amount_minor_check: ["amount_minor", "0"],
  agent_payments_currency_check: ["currency", "'US$'"],
  agent_payments_awaits_check: ["awaits", "'other'"],
  agent_payments_approval_tries_check: ["approval_tries", "-1"],
  api_tokens_expiry_notice_days_check: ["expiry_notice_days", "-1"],
  api_tokens_session_role_check: ["role", "'admin'"],
  attachments_size_bytes_check: ["size_bytes", "-1"],
  attachment_totals_shard_check: ["shard", "-1"],
  audit_entries_actor_type_check: ["actor_type", "'other'"],
  chat_actions_attempts_check: ["attempts", "-1"],
  checkout_brandings_color_check: ["color", "'red'"],
  contacts_blocked_file_check: ["blocked_file", "''"],
  contacts_blocked_by_type_check: ["blocked_by_type", "'other'"],
  contacts_name_source_check: ["name_source", "'other'"],
  event_consumers_position_check: ["position", "-1"],
  event_consumers_version_check: ["version", "'other'"],
  experience_cards_asks_for_check: ["asks_for", "'other'"],
  experience_cards_attempts_check: ["attempts", "-1"],
  handle_connections_codes_check: ["code_tries", "-1"],
  line_activity_count_check: ["count", "-1"],
  line_activity_latency_step_check: ["latency_step", "-1"],
  line_activity_metric_check: ["metric", "'other'"],
  line_activity_minutes_check: ["minutes", "60"],
  line_days_counts_check: ["sent", "-1"],
  set_aside_events_times_check: ["times", "0"],
  awaited_files_attempts_check: ["attempts", "-1"],
  line_standbys_check: ["position", "-1"],
  lines_connections_check: ["connection_number", "-1"],
  lines_failover_seconds_check: ["failover_seconds", "0"],
  lines_sends_per_second_check: ["sends_per_second", "0"],
  lines_poll_failures_check: ["poll_failures", "-1"],
  lines_transport_position_check: ["transport_position", "-1"],
  location_shares_latitude_check: ["latitude", "90.01"],
  instance_backups_database_check: ["database", "'other'"],
  instance_backups_files_check: ["file_count", "-1"],
  instance_processes_role_check: ["role", "'other'"],
  location_shares_longitude_check: ["longitude", "-180.01"],
  message_edits_part_index_check: ["part_index", "-1"],
  one_time_code_windows_codes_sent_check: ["codes_sent", "-1"],
  opt_outs_actor_type_check: ["actor_type", "'other'"],
  opt_outs_source_file_check: ["source_file", "''"],
  opt_outs_end_actor_type_check: ["end_actor_type", "'other'"],
  opt_out_hints_decided_type_check: ["decided_type", "'other'"],
  opt_out_overrides_actor_type_check: ["actor_type", "'other'"],
  operator_alerts_severity_check: ["severity", "'other'"],
  operator_alerts_type_check: ["type", "'other'"],
  operator_notifications_attempts_check: ["attempts", "-1"],
  operator_notifications_type_check: ["type", "'other'"],
  operator_watch_id_check: ["id", "2"],
  outgoing_mails_attempts_check: ["attempts", "-1"],
  outgoing_mails_type_check: ["type", "'other'"],
  passkeys_counter_check: ["counter", "-1"],
  passkey_enrollments_codes_check: ["code_tries", "-1"],
  payment_reversals_type_check: ["type", "'other'"],
  payment_reversals_status_check: ["status", "'other'"],
  payment_reversals_amount_minor_check: ["amount_minor", "-1"],
  payment_reversals_currency_check: ["currency", "'US$'"],
  payment_requests_amount_minor_check: ["amount_minor", "-1"],
  payment_requests_charged_minor_check: ["charged_minor", "-1"],
  payment_requests_currency_check: ["currency", "'US$'"],
  payment_requests_quantity_check: ["quantity", "0"],
  payment_requests_interval_check: ["interval", "'other'"],
  payment_requests_interval_count_check: ["interval_count", "0"],
  platform_clock_id_check: ["id", "2"],
  platform_clock_rate_check: ["rate", "0"],
  person_erasures_actor_type_check: ["actor_type", "'other'"],
  person_erasures_attempts_check: ["attempts", "-1"],
  reactions_part_index_check: ["part_index", "-1"],
  reputation_audits_attempts_check: ["attempts", "-1"],
  sandbox_orders_amount_minor_check: ["amount_minor", "-1"],
  sandbox_orders_currency_check: ["currency", "'US$'"],
  servicecard_cards_amount_minor_check: ["amount_minor", "0"],
  servicecard_cards_currency_check: ["currency", "'US$'"],
  sessions_method_check: ["method", "'other'"],
  sign_in_throttles_failures_check: ["failures", "-1"],
  simulator_faults_counts_check: ["matched", "-1"],
  simulator_lines_sends_until_flag_check: ["sends_until_flag", "-1"],
  simulator_messages_pending_receipt_check: ["pending_receipt", "'other'"],
  simulator_snapshots_size_check: ["row_count", "-1"],
  simulator_phones_behavior_check: ["behavior", "'other'"],
  simulator_phones_delays_check: ["delay_ms", "-1"],
  token_minutes_requests_check: ["requests", "-1"],
  user_passkeys_counter_check: ["counter", "-1"],
  webhook_subscriptions_name_check: ["name", "''"],
  webhook_attempt_counts_count_check: ["count", "0"],
  webhook_replays_counts_check: ["total", "-1"],
  webhook_replays_per_second_check: ["per_second", "0"],
  webhook_subscriptions_version_check: ["version", "'other'"],
  webhook_subscriptions_warned_percent_check: ["warned_percent", "30"],
  webhook_subscriptions_rate_limit_check: ["rate_limit", "0"],
};

test("every check constraint is tried below", async () => {
  const checks = await names(`
    select k.conname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
    where ${OURS} and k.contype = 'c' and c.relname <> '_prisma_migrations'`);

  expect(checks).toEqual(Object.keys(REFUSED).sort());
});

test.each(Object.entries(REFUSED))("%s refuses a bad %s", async (name, [column, value]) => {
  const store = transaction(async (tx) => {
    const [check] = await tx.runText<{ table: string }>({
      text: "select conrelid::regclass::text as table from pg_constraint where conname = $1",
      values: [name],
    });
    // A copy that has only the check constraints, so that a row with one value violates no others.
    await tx.runText({
      text: `create temp table tried (like ${check?.table} including constraints) on commit drop`,
    });
    const columns = await tx.runText<{ name: string }>({
      text: `select attname as name from pg_attribute where attrelid = 'tried'::regclass and attnum > 0 and attnotnull`,
    });
    for (const each of columns) {
      await tx.runText({ text: `alter table tried alter column "${each.name}" drop not null` });
    }
    await tx.runText({ text: `insert into tried ("${column}") values (${value})` });
  });

  const error = await store.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(hasSqlState(error, CHECK_VIOLATION)).toBe(true);
  expect(error).toMatchObject({ constraint: name });
});

async function names(text: string): Promise<string[]> {
  const rows = await sql.runText<{ name: string }>({ text });
  return rows.map((row) => row.name).sort();
}
