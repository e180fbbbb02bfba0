import "server-only";
import { z } from "zod";
import { AllowedAddresses } from "@/lib/identity/tokens/allowed-addresses";
import { TOKEN_SCOPES } from "@/lib/platform/rights/token-scope";
import { maxUnits } from "@/lib/platform/text/max-units";

const DAY_MS = 86_400_000;
const EXPIRY_DAYS = [30, 90, 365] as const;

/** The fields of a token that its creator sets. */
export const tokenFields = {
  name: z.string().trim().min(1, "enter a name for the token").check(maxUnits(80)),
  /** Days until the token expires; null = never. */
  expires_in_days: z.literal(EXPIRY_DAYS).nullable(),
  /** The operations that the token is restricted to; empty = full access. */
  scopes: z.array(z.enum(TOKEN_SCOPES)).transform((scopes) => [...new Set(scopes)]),
  allowed_addresses: AllowedAddresses,
};

/** The expiry of a token that is valid for this many days from `now`; null = never. */
export function expiryAt(now: Date, days: number | null): Date | null {
  return days === null ? null : new Date(now.getTime() + days * DAY_MS);
}
