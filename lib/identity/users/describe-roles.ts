import "server-only";
import operationsByRight from "@/lib/identity/users/role-operations.json";
import type { Role } from "@/lib/platform/context";
import type { Right } from "@/lib/platform/rights/right";
import { listRights } from "@/lib/platform/rights/role-rights";

/** A permission, its operations and the roles that have it. */
export interface RightOfRoles {
  right: Right;
  /** For example "Send messages". */
  label: string;
  /** For example "Chats: Send a message". */
  operations: string[];
  roles: Role[];
  /** Whether only operators of the instance have the permission. */
  isOperatorOnly: boolean;
}

const ROLES = ["viewer", "support", "developer", "admin"] as const satisfies readonly Role[];
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>> | undefined>> =
  operationsByRight;

/** All permissions, from those of every role to those of operators, with operations from the contracts. */
export function describeRoles(): RightOfRoles[] {
  const rights = listRights({ role: "admin", isOperator: true });
  return rights
    .map((right) => {
      const roles = ROLES.filter((role) => listRights({ role }).includes(right));
      const operations = Object.entries(OPERATIONS[right] ?? {}).flatMap(([tag, summaries]) =>
        summaries.map((summary) => `${tag}: ${summary}`),
      );
      return { right, label: labelOf(right), operations, roles, isOperatorOnly: roles.length === 0 };
    })
    .sort((a, b) => orderOf(a) - orderOf(b));
}

function labelOf(right: Right): string {
  if (right === "signed_in") return "Manage your own sign-in";
  const words = right.replaceAll("_", " ").replace("opt outs", "opt-outs");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function orderOf({ roles }: RightOfRoles): number {
  return ROLES.length - roles.length;
}
