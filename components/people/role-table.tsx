import { Check } from "lucide-react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { None } from "@/components/data/none";
import { ROLES } from "@/components/people/role-names";
import { Badge } from "@/components/ui/badge";
import type { RightOfRoles } from "@/lib/identity/users/describe-roles";

const columns: DataColumn<RightOfRoles>[] = [
  {
    key: "right",
    header: "Permission",
    className: "max-sm:flex-col max-sm:items-start sm:w-1/2",
    cell: ({ label, operations }) => (
      <details className="min-w-0">
        <summary className="cursor-pointer font-medium">{label}</summary>
        <ul className="flex flex-col gap-0.5 pt-1.5 text-muted-foreground text-xs">
          {operations.map((operation) => (
            <li key={operation}>{operation}</li>
          ))}
        </ul>
      </details>
    ),
  },
  ...ROLES.map(
    ({ value, label }): DataColumn<RightOfRoles> => ({
      key: value,
      header: label,
      className: "max-sm:hidden",
      cell: ({ roles, isOperatorOnly }) => {
        if (isOperatorOnly)
          return value === "admin" ? <Badge variant="neutral">Operators only</Badge> : <None />;
        return roles.includes(value) ? (
          <Check role="img" aria-label="Yes" className="size-4 text-success" />
        ) : (
          <None />
        );
      },
    }),
  ),
  {
    key: "roles",
    header: "Roles",
    // On a phone, one line instead of one per role.
    className: "sm:hidden",
    cell: ({ roles, isOperatorOnly }) => (
      <span className="text-right text-muted-foreground text-xs">
        {isOperatorOnly ? "Operators only" : namesOf(roles)}
      </span>
    ),
  },
];

/** The permissions of each role. A permission opens the list of its operations. */
export function RoleTable({ rights }: { rights: RightOfRoles[] }) {
  return (
    <section className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h2 className="font-semibold text-base">Roles</h2>
        <p className="max-w-prose text-muted-foreground text-sm">
          Permissions of each role in every account of this partner. Open a permission to see its operations.
        </p>
      </div>
      <DataTable label="Roles" columns={columns} rows={rights} rowKey={({ right }) => right} />
    </section>
  );
}

function namesOf(roles: RightOfRoles["roles"]): string {
  if (roles.length === ROLES.length) return "Every role";
  return ROLES.filter(({ value }) => roles.includes(value))
    .map(({ label }) => label)
    .join(", ");
}
