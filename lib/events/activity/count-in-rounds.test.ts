import { expect, test } from "vitest";
import { countInRounds } from "@/lib/events/activity/count-in-rounds";

test("an account whose step fails does not end the count of others, and is reported", async () => {
  const counted: string[] = [];
  const rounds = countInRounds({
    findDue: async () => [{ id: "failing" }, { id: "busy" }, { id: "quiet" }],
    countStep: async ({ id }) => {
      if (id === "failing") throw new Error("integer out of range");
      counted.push(id);
      return id === "busy";
    },
    maxRounds: 3,
    stop: new AbortController().signal,
  });
  await expect(rounds).rejects.toMatchObject({ errors: [{ message: "integer out of range" }] });
  expect(counted).toEqual(["busy", "quiet", "busy", "busy"]);
});
