import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { isCode } from "@/lib/payments/connections/one-time-code";
import { clearPasskeyCode } from "@/lib/payments/wallet/passkey-enrollment";
import { batched } from "@/lib/platform/database/batch";
import { type Sql, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const CODE_DIGITS = 6;
/** The maximum number of digits in a row, and of candidate codes, that are checked. */
const MAX_DIGITS = 200;

interface SharedText {
  accountId: string;
  handle: string;
  text: string;
  at: Date;
}

const FIND_PASSKEY_CODE = statement(
  "find-passkey-code",
  `select e.verification_id as "verification_id!", e.code_hash as "code_hash!", a.partner_id
  from passkey_enrollments e join accounts a on a.id = e.account_id
  where e.account_id = :accountId and e.handle = :handle and e.code_expires_at > :codeExpiresAt`,
);

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
  const [sent] = await tx.run(FIND_PASSKEY_CODE, { accountId, handle, codeExpiresAt: at });
  if (sent === undefined) return;
  if (!candidates.some((code) => isCode(sent.code_hash, sent.verification_id, code))) return;
  await clearPasskeyCode(tx, { account_id: accountId, handle });
  const scope = { partnerId: sent.partner_id, accountId, at };
  await recordSystemAudit(tx, scope, "passkey.code_withdrawn", "passkey", handle);
}

/** Whether a text contains what could be a code, from a customer who has one. Concurrent lookups share a statement. */
export async function mayHoldCode(text: SharedText): Promise<boolean> {
  return codesIn(text.text).length > 0 && (await hasCode(text));
}

const hasCode = batched<SharedText, boolean>({
  runOne: async (text) => (await selectHaveCode([text]))[0] === true,
  runMany: selectHaveCode,
  besideAfterMs: 1,
});

const FIND_PASSKEY_CODES = statement(
  "find-passkey-codes",
  `select exists (
    select 1 from passkey_enrollments e
    where e.account_id = t.account_id and e.handle = t.handle and e.code_expires_at > t.at offset 0
  ) as has_code
  from unnest(:accountIds::uuid[], :handles::text[], :ats::timestamptz[]) with ordinality as t(account_id, handle, at, ord)
  order by t.ord`,
);

async function selectHaveCode(texts: SharedText[]): Promise<boolean[]> {
  const rows = await sql.run(FIND_PASSKEY_CODES, {
    accountIds: texts.map(({ accountId }) => accountId),
    handles: texts.map(({ handle }) => handle),
    ats: texts.map(({ at }) => at),
  });
  return rows.map((row) => row.has_code);
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
