import type { Person } from "@/lib/identity/users/person";

/** The roles with what each may do, the most powerful first. */
export const ROLES: readonly { value: Person["role"]; label: string; description: string }[] = [
  { value: "admin", label: "Admin", description: "Everything, people included" },
  { value: "developer", label: "Developer", description: "Lines, webhooks and API tokens" },
  { value: "support", label: "Support", description: "Messages, opt-outs and blocks" },
  { value: "viewer", label: "Viewer", description: "Read only" },
];
