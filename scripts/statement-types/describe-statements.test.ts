import "@/lib/testing/use-test-database";

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/platform/env";
import { readDatabase } from "@/scripts/statement-types/describe-statements";

let client: pg.Client;
let typesOf: Awaited<ReturnType<typeof readDatabase>>;

beforeAll(async () => {
  client = new pg.Client({ connectionString: env().DATABASE_URL });
  await client.connect();
  typesOf = await readDatabase(client);
});

afterAll(() => client.end());

const rowOf = async (source: string) => (await typesOf(source)).row;

test("parameters have the types that PostgreSQL gives them, in any order and number of uses", async () => {
  const { parameters, row } = await typesOf(
    `select id from chats where account_id = :accountId and (service = :service or :service::service_type is null)
       and created_at < :before and id = any(:ids::uuid[])`,
  );
  expect(parameters).toBe(
    '{ accountId: string | null | undefined; service: "iMessage" | "RCS" | "SMS" | null | undefined; ' +
      "before: string | Date | null | undefined; ids: readonly (string | null)[] | null | undefined }",
  );
  expect(row).toBe("{ id: string }");
});

test.each([
  ["a column", "select name from accounts", "{ name: string }"],
  ["a column that can be null", "select color from accounts", "{ color: string | null }"],
  [
    "an outer join",
    "select l.id from accounts a left join lines l on l.account_id = a.id",
    "{ id: string | null }",
  ],
  [
    "an outer join in a common table expression",
    "with x as materialized (select l.id from accounts a left join lines l on l.account_id = a.id) select id from x",
    "{ id: string | null }",
  ],
  [
    "a lateral outer join",
    "select l.id from accounts a left join lateral (select id from lines where account_id = a.id offset 0) l on true",
    "{ id: string | null }",
  ],
  [
    "a whole row that an outer join leaves out",
    "select to_jsonb(l)::text as line from accounts a left join lines l on l.account_id = a.id",
    "{ line: string | null }",
  ],
  ["a count", "select count(*) from accounts", "{ count: string }"],
  ["a sum without rows", "select sum(position)::int as total from line_standbys", "{ total: number | null }"],
  [
    "a sum with a default",
    "select coalesce(sum(position), 0)::int as total from line_standbys",
    "{ total: number }",
  ],
  [
    "case without else",
    "select case when color = 'x' then 1 end as one from accounts",
    "{ one: number | null }",
  ],
  [
    "case with else",
    "select case when color = 'x' then 1 else 2 end as one from accounts",
    "{ one: number }",
  ],
  ["exists", "select exists (select from accounts) as any", "{ any: boolean }"],
  ["a scalar subquery", "select (select name from accounts limit 1) as name", "{ name: string | null }"],
  ["an array of a subquery", "select array(select name from accounts) as names", "{ names: string[] }"],
  ["a key of JSON", "select data ->> 'id' as id from events", "{ id: string | null }"],
  ["a tested column", "select color from accounts where color is not null", "{ color: string }"],
  ["a compared column", "select color from accounts where color = :color", "{ color: string }"],
  [
    "a tested column that an update sets",
    "update accounts set color = null where color is not null returning color",
    "{ color: string | null }",
  ],
  [
    "a union, one branch null",
    "select name from accounts union all select color from accounts",
    "{ name: string | null }",
  ],
  ["elements of an array", "select t.x from unnest(:values::int[]) t(x)", "{ x: number | null }"],
  ["a mark", 'select sum(position)::int as "total!" from line_standbys', "{ total: number }"],
  [
    "a string that looks like a mark",
    `select '"name!"' as text, color as name from accounts`,
    "{ text: string; name: string | null }",
  ],
  ["a mark for null", 'select name as "name?" from accounts', "{ name: string | null }"],
  ["a type", 'select data as "data: { id: string }" from events', "{ data: { id: string } }"],
  [
    "a list that Prisma declares",
    "select scopes from api_tokens",
    '{ scopes: ("messaging" | "payments" | "read_only")[] }',
  ],
  ["an enum", "select type from accounts", '{ type: "sandbox" | "production" }'],
  ["nothing", "delete from accounts", "{}"],
])("%s: %s", async (_, source, row) => {
  expect(await rowOf(source)).toBe(row);
});

test.each([
  ["a column that does not exist", "select nmae from accounts", 'column "nmae" does not exist'],
  ["a table that does not exist", "select 1 from acounts", 'relation "acounts" does not exist'],
  [
    "values of two types",
    "select 1 from accounts where id = :x and name = :x",
    "operator does not exist: text = uuid",
  ],
])("%s is refused: %s", async (_, source, message) => {
  await expect(typesOf(source)).rejects.toThrow(message);
});
