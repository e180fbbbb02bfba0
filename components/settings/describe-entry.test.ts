import { expect, test } from "vitest";
import { actionText, actorText, describeDetail } from "@/components/settings/describe-entry";

test("an action is described in words", () => {
  expect(actionText("account.options_changed")).toBe("Account options changed");
  expect(actionText("api_token.created")).toBe("API token created");
});

test.each([
  [{ from: { rcs: true }, to: { rcs: false } }, [{ name: "rcs", before: "true", after: "false" }]],
  [{ from: null, to: "+15550199" }, [{ name: "value", before: "none", after: "+15550199" }]],
  [
    { from: "admin", to: "viewer", email: "a@example.com" },
    [
      { name: "value", before: "admin", after: "viewer" },
      { name: "email", after: "a@example.com" },
    ],
  ],
  [{ first_name: { from: "Ann", to: "Eve" } }, [{ name: "first name", before: "Ann", after: "Eve" }]],
  [{ from: { name: "A" }, to: {} }, [{ name: "name", before: "A", after: "none" }]],
  [
    { chatId: "1", is_active: false },
    [
      { name: "chat id", after: "1" },
      { name: "is active", after: "false" },
    ],
  ],
  [{}, []],
])("%j is a list of values, with those before the change", (detail, changes) => {
  expect(describeDetail(detail)).toEqual(changes);
});

test("an actor without a name is described by its type", () => {
  const by = { id: null, is_operator: false };
  expect(actorText({ ...by, type: "user", name: "Ann" })).toBe("Ann");
  expect(actorText({ ...by, type: "user", name: null })).toBe("Former user");
  expect(actorText({ ...by, type: "system", name: null })).toBe("Trunkline or operator");
});
