import { describe, expect, test } from "vitest";
import type { Actor, Role } from "@/lib/platform/context";
import type { Right } from "@/lib/platform/rights/right";
import {
  hasRight,
  isReadRight,
  listRights,
  requireRight,
  roleHasRight,
} from "@/lib/platform/rights/role-rights";

/** The right that each role has in addition to the role before it. */
const ADDED: readonly [Role, readonly Right[]][] = [
  [
    "viewer",
    [
      "signed_in",
      "view_account",
      "view_lines",
      "view_chats",
      "view_opt_outs",
      "view_payments",
      "view_events",
      "view_requests",
      "view_webhooks",
    ],
  ],
  [
    "support",
    ["view_request_bodies", "send_messages", "decide_opt_outs", "manage_blocks", "request_payments"],
  ],
  [
    "developer",
    [
      "view_history",
      "view_tokens",
      "view_payment_payloads",
      "manage_attachments",
      "manage_lines",
      "manage_payments",
      "manage_tokens",
      "manage_webhooks",
    ],
  ],
  [
    "admin",
    [
      "add_simulated_lines",
      "manage_account",
      "manage_accounts",
      "manage_people",
      "manage_personal_data",
      "manage_spending",
      "release_lines",
    ],
  ],
];
const OF_OPERATORS: readonly Right[] = [
  "assign_lines",
  "connect_lines",
  "flag_lines",
  "view_instance",
  "operate_instance",
];
const OF_ADMINS_AND_OPERATORS: readonly Right[] = ["add_simulated_lines", "manage_accounts", "release_lines"];

const table = ADDED.map(
  ([role], index) => [role, ADDED.slice(0, index + 1).flatMap(([, rights]) => rights)] as const,
);

function person(role: Role, isOperator = false): { actor: Actor } {
  const who = { userId: "01a00000-0000-7000-8000-000000000000", name: "Ada", email: "ada@example.com" };
  return { actor: { type: "user", ...who, role, isOperator, hasFreshProof: true } };
}

describe.each(table)("the role %s", (role, rights) => {
  test("has exactly its rights", () => {
    expect(listRights({ role }).sort()).toEqual([...rights].sort());
  });

  test("of an operator has the operators' rights too", () => {
    const all = new Set([...rights, ...OF_OPERATORS, ...OF_ADMINS_AND_OPERATORS]);
    expect(listRights({ role, isOperator: true }).sort()).toEqual([...all].sort());
    expect(roleHasRight({ role, isOperator: false }, "flag_lines")).toBe(false);
  });

  test("passes the check of its rights and of no other", () => {
    const everyRight = listRights({ role: "admin", isOperator: true });
    const allowed = everyRight.filter((right) => {
      try {
        requireRight(person(role), right);
        return true;
      } catch {
        return false;
      }
    });
    expect(allowed.sort()).toEqual([...rights].sort());
    expect(everyRight.filter((right) => hasRight(person(role), right)).sort()).toEqual([...rights].sort());
  });
});

test("the table names every right there is", () => {
  expect(listRights({ role: "admin", isOperator: true })).toHaveLength(
    ADDED.flatMap(([, rights]) => rights).length + OF_OPERATORS.length,
  );
});

test("tokens and the system have every right, also of operations without one", () => {
  const others: Actor[] = [
    { type: "system" },
    { type: "api", tokenId: "01a00000-0000-7000-8000-000000000000" },
  ];
  for (const actor of others) {
    expect(hasRight({ actor }, "flag_lines")).toBe(true);
    expect(() => requireRight({ actor }, "flag_lines")).not.toThrow();
    expect(() => requireRight({ actor }, undefined)).not.toThrow();
  }
});

test("a rejection says what would be needed", () => {
  const says = (who: { actor: Actor }, right: Right | undefined) => {
    try {
      requireRight(who, right);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(says(person("viewer"), "send_messages")).toContain('the role "viewer" may not send messages');
  expect(says(person("support"), "view_payment_payloads")).toContain("may not view payment payloads");
  expect(says(person("admin"), "flag_lines")).toContain("only an operator of this instance can flag lines");
  expect(says(person("admin", true), "flag_lines")).toBeNull();
  expect(says(person("admin", true), undefined)).toContain("this operation requires an API token");
});

test("a read-only account keeps the rights to see, and those outside of the account", () => {
  const kept = listRights({ role: "admin", isOperator: true }).filter(isReadRight);
  expect(kept.filter((right) => !right.startsWith("view_")).sort()).toEqual([
    "manage_accounts",
    "manage_people",
    "signed_in",
  ]);
  expect(kept).toContain("view_chats");
});
