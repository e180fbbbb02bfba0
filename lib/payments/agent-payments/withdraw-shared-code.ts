import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { isCode } from "@/lib/payments/agent-payments/one-time-code";
import { clearPasskeyCode } from "@/lib/payments/agent-payments/passkey-enrollment";
import type { Sql } from "@/lib/platform/db";

const CODE_DIGITS = 6;
/** The maximum number of digits in a row, and of candidate codes, that are checked. */
const MAX_DIGITS = 200;

interface SharedText {
  accountId: string;
  handle: string;
  text: string;
  at: Date;
}

/**
 * Withdraws the passkey code of a customer who texts it, before another person can read the message. The code belongs
 * on the attach page, and anyone who asks for it in the conversation wants to enroll their own passkey. Runs in the
 * transaction that stores the message.
 */
export async function withdrawSharedCode(
  tx: Sql,
  { accountId, handle, text, at }: SharedText,
): Promise<void> {
  const candidates = codesIn(text);
  if (candidates.length === 0) return;
  const [sent] = await tx.query<{ verification_id: string; code_hash: Buffer; partner_id: string }>({
    name: "find-passkey-code",
    text: `select e.verification_id, e.code_hash, a.partner_id
           from passkey_enrollments e join accounts a on a.id = e.account_id
           where e.account_id = $1 and e.handle = $2 and e.code_expires_at > $3`,
    values: [accountId, handle, at],
  });
  if (sent === undefined) return;
  if (!candidates.some((code) => isCode(sent.code_hash, sent.verification_id, code))) return;
  await clearPasskeyCode(tx, { account_id: accountId, handle });
  const scope = { partnerId: sent.partner_id, accountId, at };
  await recordSystemAudit(tx, scope, "passkey.code_withdrawn", "passkey", handle);
}

/** Whether a text contains what could be a code. */
export function mayShareCode(text: string): boolean {
  return codesIn(text).length > 0;
}

/** Returns every sequence of six digits, including those separated by spaces or hyphens. */
function codesIn(text: string): string[] {
  const runs = text.match(/\d(?:[\s-]?\d)*/g) ?? [];
  const codes = runs.flatMap((run) => {
    const digits = run.replaceAll(/\D/g, "").slice(0, MAX_DIGITS);
    const count = Math.max(0, digits.length - CODE_DIGITS + 1);
    return Array.from({ length: count }, (_, start) => digits.slice(start, start + CODE_DIGITS));
  });
  return codes.slice(0, MAX_DIGITS);
}
