import { expect, test } from "vitest";
import { privateRoutes } from "@/.generated/private-route-table";
import { describeRoles } from "@/lib/identity/users/describe-roles";
import operationsOfRights from "@/lib/identity/users/role-operations.json";
import { listRights, roleHasRight } from "@/lib/platform/rights/role-rights";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { operationsByRight } from "@/lib/runtime/openapi/operations-by-right";

const operations = operationsOf(privateRoutes);

test("role-operations.json is what `npm run openapi` writes", () => {
  expect(operationsOfRights).toEqual(operationsByRight(operations));
});

test("the table of roles has each right once, and each operation of the dashboard below its right", () => {
  const rights = describeRoles();

  expect(rights.map(({ right }) => right).sort()).toEqual(
    listRights({ role: "admin", isOperator: true }).sort(),
  );
  for (const { contract } of operations) {
    if (contract.summary === undefined) continue;
    const row = rights.find(({ right }) => right === contract.right);
    expect(row?.operations).toContain(`${contract.tag}: ${contract.summary}`);
  }
});

test("the table names the roles that the role table allows", () => {
  for (const { right, roles, isOperatorOnly } of describeRoles()) {
    const allowed = (["viewer", "support", "developer", "admin"] as const).filter((role) =>
      roleHasRight({ role }, right),
    );
    expect([right, roles, isOperatorOnly]).toEqual([right, allowed, allowed.length === 0]);
  }
});

test("an operation that several routes share is listed once, in alphabetical order", () => {
  const contract = { tag: "B", right: "view_chats", status: 200, errors: [] } as const;
  const listed = ["Second", "First", "Second"].map((summary) => ({
    method: "GET",
    path: "/",
    contract: { ...contract, summary },
  }));

  expect(operationsByRight(listed)).toEqual({ view_chats: { B: ["First", "Second"] } });
});
