import { expect, test } from "vitest";
import { actionText, actorText, describeDetail, objectText } from "@/components/settings/describe-entry";

test("an action is described in words", () => {
  expect(actionText("account.options_changed")).toBe("Account options changed");
  expect(actionText("opt_out.set")).toBe("Opted out");
  expect(actionText("api_widget.turned_round")).toBe("API widget turned round");
  expect(objectText("opt_out_hint")).toBe("Possible opt-out");
  expect(objectText("api_token")).toBe("API token");
});

test.each([
  [{ from: { rcs: true }, to: { rcs: false } }, [{ name: "RCS", before: "yes", after: "no" }]],
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
      { name: "chat", after: "1" },
      { name: "active", after: "no" },
    ],
  ],
  [
    {
      provider: "servicecard",
      audit_id: "01a208d1-8d5a-7047-972a-23fe3e4b55ee",
      filter: { types: [], statuses: ["failed", "skipped"], has_json_path: false },
    },
    [
      { name: "provider", after: "Test cards" },
      { name: "audit", after: "…4b55ee" },
      { name: "filter", after: "types none; statuses failed, skipped; has JSON path no" },
    ],
  ],
  [{}, []],
])("%j is a list of values, with those before the change", (detail, changes) => {
  expect(describeDetail({ detail, names: {} })).toEqual(changes);
});

test("an ID whose name is known is described by its name, also in lists and before a change", () => {
  const [ann, gone] = ["01a208d1-8d5a-7047-972a-23fe3e4b55ee", "01a208d1-8d5a-7047-972a-23fe3e4b55ef"];
  const names = { [ann]: "Ann" };
  expect(describeDetail({ detail: { from: ann, to: gone }, names })).toEqual([
    { name: "value", before: "Ann", after: "…4b55ef" },
  ]);
  expect(describeDetail({ detail: { mentions: [gone, ann] }, names })).toEqual([
    { name: "mentions", after: "…4b55ef, Ann" },
  ]);
});

test("an actor without a name is described by its type", () => {
  const by = { id: null, is_operator: false };
  expect(actorText({ ...by, type: "user", name: "Ann" })).toBe("Ann");
  expect(actorText({ ...by, type: "user", name: null })).toBe("Former user");
  expect(actorText({ ...by, type: "system", name: null })).toBe("Trunkline or operator");
});
