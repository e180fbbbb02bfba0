import type { Person } from "@/lib/identity/users/person";

/** The roles and their permissions, from most to least privileged. */
export const ROLES: readonly { value: Person["role"]; label: string; description: string }[] = [
  { value: "admin", label: "Admin", description: "Full access, including people" },
  { value: "developer", label: "Developer", description: "Manages lines, webhooks and API tokens" },
  { value: "support", label: "Support", description: "Sends messages, manages opt-outs and blocks" },
  { value: "viewer", label: "Viewer", description: "Read-only access" },
];
