import "@/lib/testing/use-test-database";
import { expect, test } from "vitest";
import { dedicatedClient } from "@/lib/platform/database/db";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";

const LOCK = 8_018;
const TIMEOUT_MS = 60_000;

test("twelve searches of one account that hang delay no search of another", async () => {
  const holder = dedicatedClient(60_000);
  await holder.connect();
  await holder.query("select pg_advisory_lock($1)", [LOCK]);
  let ended = 0;
  const hostile = Array.from({ length: 12 }, () =>
    boundedSearch("hostile", TIMEOUT_MS, (tx) =>
      tx.runText({ text: "select pg_advisory_xact_lock($1)", values: [LOCK] }),
    ).finally(() => ended++),
  );

  // Completes while all of the others wait; if searches were not fair, it would hang with them.
  const rows = await boundedSearch("other", TIMEOUT_MS, (tx) =>
    tx.runText<{ found: number }>({ text: "select 1 as found" }),
  );

  expect(rows).toEqual([{ found: 1 }]);
  expect(ended).toBe(0);
  await holder.query("select pg_advisory_unlock($1)", [LOCK]);
  await Promise.all(hostile);
  await holder.end();
});
