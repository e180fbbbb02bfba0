import type { StatusOf } from "@/components/data/status-badge";

export type ShellUser = { name: string; email: string; role: "admin" | "developer" | "support" | "viewer" };
export type ShellPartner = { name: string };
export type ShellAccount = { id: string; name: string; environment: StatusOf<"environment"> };
