import "server-only";
import { z } from "zod";
import { countAdmins } from "@/lib/identity/people/count-admins";
import { lastBackupAt } from "@/lib/operations/backup/back-up-when-due";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { baseUrl, env } from "@/lib/platform/env";
import { isLoopbackHost } from "@/lib/platform/is-loopback-host";
import {
  type ProductionState,
  readProductionState,
} from "@/lib/runtime/dashboard/rows/read-production-state";

const CHECKS = [
  "environment",
  "public_url",
  "clock",
  "backup",
  "admins",
  "tokens",
  "line",
  "contact_card",
  "webhook",
  "processor",
] as const;

const CheckResult = z.object({
  id: z.enum(CHECKS),
  /** optional: only needed for a feature that the account does not use yet. */
  state: z.enum(["done", "todo", "optional"]),
  title: z.string(),
  /** The state that was found, and the remedy. */
  detail: z.string(),
  /** The page with the remedy; null for a setting of the instance. */
  href: z.string().nullable(),
  action: z.string().nullable(),
});

export type CheckResult = z.infer<typeof CheckResult>;

export const GetProductionChecklist = contract({
  summary: "Check whether the account is ready for production",
  tag: "Account",
  right: "view_account",
  returns: z.object({ checks: z.array(CheckResult) }),
  status: 200,
  errors: ["access_denied"],
  extension: true,
});

const HOUR_MS = 3_600_000;
/** A scheduled backup may take up to two hours longer than its period. */
const BACKUP_GRACE_HOURS = 2;
const PAGES = {
  accounts: { href: "/settings/accounts", action: "Manage accounts" },
  people: { href: "/settings/people", action: "View people" },
  tokens: { href: "/tokens", action: "View tokens" },
  lines: { href: "/lines", action: "View lines" },
  cards: { href: "/contact-cards", action: "View contact cards" },
  webhooks: { href: "/webhooks", action: "View endpoints" },
  payments: { href: "/payments/settings", action: "View settings" },
  hardening: { href: "/docs/guides/hardening", action: "Read the guide" },
} as const;

/**
 * Checks the current state of the account and the instance, from a bounded number of indexed reads: nothing is stored,
 * and a condition that gets worse is to do again.
 */
export async function getProductionChecklist(
  ctx: Context,
): Promise<z.infer<typeof GetProductionChecklist.returns>> {
  const [state, admins, backupAt] = await Promise.all([
    readProductionState(ctx),
    countAdmins(ctx),
    lastBackupAt(),
  ]);
  return {
    checks: [
      checkEnvironment(ctx),
      checkUrl(baseUrl()),
      checkClock(env().CLOCK_CONTROL),
      checkBackup(backupAt, Date.now(), env().BACKUP_HOURS),
      checkAdmins(admins),
      checkTokens(state),
      checkLine(state),
      checkCards(state),
      checkWebhook(state),
      checkProcessor(state),
    ],
  };
}

function checkEnvironment({ account }: Context): CheckResult {
  const check = { id: "environment", title: "A production account", ...PAGES.accounts } as const;
  if (account.type === "production")
    return { ...check, state: "done", detail: "This is a production account." };
  const detail =
    "This is a sandbox account: its phones are simulated. Create a production account, then switch to it.";
  return { ...check, state: "todo", detail };
}

/** Whether clients reach the instance at a public URL with TLS. */
export function checkUrl(url: string): CheckResult {
  const check = { id: "public_url", title: "Public URL with TLS", ...PAGES.hardening } as const;
  const { protocol, hostname, origin } = new URL(url);
  if (isLoopbackHost(hostname)) {
    const detail = `The instance is at ${origin}, which only this machine can reach. Set BASE_URL to its public URL.`;
    return { ...check, state: "todo", detail };
  }
  if (protocol !== "https:") {
    const detail = `The instance is at ${origin} without TLS. Put a proxy with a certificate in front, then set BASE_URL to its https URL.`;
    return { ...check, state: "todo", detail };
  }
  return { ...check, state: "done", detail: `The instance is at ${origin}.` };
}

function checkClock(canMove: boolean): CheckResult {
  const check = { id: "clock", title: "Clock", href: null, action: null } as const;
  if (!canMove) return { ...check, state: "done", detail: "The platform clock can't be moved." };
  const detail =
    "CLOCK_CONTROL is on: tests can move the clock of every account. Turn off CLOCK_CONTROL and restart.";
  return { ...check, state: "todo", detail };
}

/** Whether the last backup is recent enough. Times by the wall clock. */
export function checkBackup(lastAt: Date | null, nowMs: number, everyHours: number): CheckResult {
  const check = { id: "backup", title: "Recent backup", ...PAGES.hardening } as const;
  const remedy = "Set BACKUP_DIR, or run npm run admin -- backup.";
  if (lastAt === null) return { ...check, state: "todo", detail: `No backup has been made. ${remedy}` };
  const ageHours = Math.max(0, Math.floor((nowMs - lastAt.getTime()) / HOUR_MS));
  const age = ageHours < 1 ? "less than an hour ago" : `${ageHours} h ago`;
  if (ageHours < everyHours + BACKUP_GRACE_HOURS)
    return { ...check, state: "done", detail: `The last backup ended ${age}.` };
  return {
    ...check,
    state: "todo",
    detail: `The last backup ended ${age}, but one is due every ${everyHours} h. ${remedy}`,
  };
}

/** Whether a stolen password alone opens no admin's dashboard. */
export function checkAdmins({ admins, secured }: { admins: number; secured: number }): CheckResult {
  const check = { id: "admins", title: "Admins with a second factor", ...PAGES.people } as const;
  if (admins > 0 && secured === admins) {
    return { ...check, state: "done", detail: "No admin signs in with a password alone." };
  }
  const detail = `${admins - secured} of ${admins} admins can sign in with a password alone.`;
  return { ...check, state: "todo", detail };
}

function checkTokens({ tokens }: ProductionState): CheckResult {
  const check = { id: "tokens", title: "API tokens that expire", ...PAGES.tokens } as const;
  const own = "A token belongs to one account, so tokens of a sandbox can't be used here.";
  if (tokens.active === 0) {
    return { ...check, state: "todo", detail: `The account has no active API token. ${own}` };
  }
  if (tokens.expiring > 0) {
    const detail = `${tokens.expiring} of ${tokens.active} tokens expire within 7 days. Roll each one and give its program the new token.`;
    return { ...check, state: "todo", detail };
  }
  if (tokens.lasting > 0) {
    const detail = `${tokens.lasting} of ${tokens.active} tokens never expire. Roll each one to a token with an expiry.`;
    return { ...check, state: "todo", detail };
  }
  return { ...check, state: "done", detail: `Every token has an expiry. ${own}` };
}

function checkLine({ lines }: ProductionState): CheckResult {
  const check = { id: "line", title: "A healthy line", ...PAGES.lines } as const;
  if (lines.real === 0) {
    const detail = "The account has no line of a carrier or a device. Add a line and connect it.";
    return { ...check, state: "todo", detail };
  }
  if (lines.healthy === 0) {
    const detail = `None of ${lines.real} lines is connected, up, active and healthy. Open a line to see why.`;
    return { ...check, state: "todo", detail };
  }
  return { ...check, state: "done", detail: `${lines.healthy} of ${lines.real} lines can send.` };
}

function checkCards({ lines }: ProductionState): CheckResult {
  const check = { id: "contact_card", title: "Contact card on every line", ...PAGES.cards } as const;
  if (lines.real === 0) return { ...check, state: "todo", detail: "Add a line first." };
  if (lines.without_card > 0) {
    const detail = `${lines.without_card} of ${lines.real} lines have no active contact card. Recipients see an unknown number.`;
    return { ...check, state: "todo", detail };
  }
  return { ...check, state: "done", detail: "Recipients see a name and a photo." };
}

function checkWebhook({ endpoints }: ProductionState): CheckResult {
  const check = { id: "webhook", title: "A working webhook endpoint", ...PAGES.webhooks } as const;
  if (endpoints.active === 0) {
    return {
      ...check,
      state: "todo",
      detail: "The account has no active endpoint. Add one and send a test.",
    };
  }
  if (endpoints.verified === 0) {
    const detail = `None of ${endpoints.active} active endpoints accepted a delivery in the last 7 days. Send a test.`;
    return { ...check, state: "todo", detail };
  }
  const detail = `${endpoints.verified} of ${endpoints.active} active endpoints accepted a delivery in the last 7 days.`;
  return { ...check, state: "done", detail };
}

function checkProcessor({ processor }: ProductionState): CheckResult {
  const check = { id: "processor", title: "Live card processor", ...PAGES.payments } as const;
  if (processor === null || processor.name === "sandbox") {
    return { ...check, state: "optional", detail: "Connect a processor before you request payments." };
  }
  if (!processor.can_charge) {
    const detail = "The processor can't charge yet: it needs more information about your business.";
    return { ...check, state: "todo", detail };
  }
  if (env().STRIPE_SECRET_KEY?.startsWith("sk_live_") !== true) {
    const detail =
      "The instance uses a test key of Stripe: payers are not charged. Set a live STRIPE_SECRET_KEY.";
    return { ...check, state: "todo", detail };
  }
  return { ...check, state: "done", detail: "The processor accepts live charges." };
}
