import "@/lib/testing/use-test-database";
import { expect, test } from "vitest";
import { changePartitions } from "@/lib/platform/database/partitions";

const never = new AbortController().signal;

test.each(["55P03", "40P01"])("a change that ends with %s is tried again", async (state) => {
  let tries = 0;
  const result = await changePartitions(never, async (tx) => {
    tries++;
    if (tries === 1) await tx.runText({ text: `do $$ begin raise sqlstate '${state}'; end $$` });
    return "changed";
  });
  expect([result, tries]).toEqual(["changed", 2]);
});

test("a change that fails for another reason is not tried again", async () => {
  let tries = 0;
  const changing = changePartitions(never, async (tx) => {
    tries++;
    await tx.runText({ text: "select from no_table_of_this_name" });
  });
  await expect(changing).rejects.toThrow("no_table_of_this_name");
  expect(tries).toBe(1);
});
