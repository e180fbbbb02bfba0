import type { TokenScope } from "@/lib/platform/rights/token-scope";

export const SCOPE_LABELS: Record<TokenScope, string> = {
  messaging: "Messaging",
  read_only: "Read-only",
  payments: "Payments",
};
