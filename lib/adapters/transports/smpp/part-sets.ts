import "server-only";
import { createHash, randomUUID } from "node:crypto";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { decodeText, type Encoding } from "@/lib/adapters/transports/smpp/decode-text";
import type { PartOf } from "@/lib/adapters/transports/smpp/user-data";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

/** How long an incomplete text waits for its next part before it is shown as it is. */
const PART_WAIT_MS = 120_000;
/** How long an SMS center may repeat parts of a text that was stored. */
const REPEATED_MS = 600_000;
/** When a text whose storing failed is stored again. */
const AGAIN_MS = 10_000;
/** The mark of a part that never arrived. */
const MISSING = "[…]";

/** A part of a long message. */
export interface SmsPart {
  line: LineRef;
  from: string;
  part: PartOf;
  octets: Buffer;
  encoding: Encoding;
}

interface StoredPart {
  digest: string;
  /** null once the text was stored. */
  content: { octets: string; encoding: Encoding } | null;
}

/** The parts that arrived, by their number. */
export type StoredParts = Readonly<Record<string, StoredPart>>;

/** A set that takes no further parts, with its text. null = an earlier set had the same parts. */
export interface ClosedSet {
  line: LineRef;
  id: string;
  from: string;
  text: string | null;
}

type SetRow = RowOf<"read-closed-sms-part-sets">;

/**
 * Stores a part. Returns the sets that this part closed: its own, when it was the last one that was missing, and a set
 * with the same reference whose part differs, which belongs to an earlier text. The caller stores the texts of closed
 * sets and then calls `endSet`; otherwise `closeDueSets` returns them again.
 */
export async function storePart(part: SmsPart): Promise<string[]> {
  const stored = await upsertPart(part);
  if (stored.is_stored) return stored.is_closed ? [stored.id] : [];
  await closeSet(part.line.accountId, stored.id);
  return [stored.id, ...(await storePart(part))];
}

const STORE_SMS_PART = statement(
  "store-sms-part",
  `insert into sms_part_sets as s (account_id, line_id, id, handle, reference, total, parts, last_part_at)
  values (:accountId, :lineId, :randomUUID, :from, :reference, :total, :stored, :now)
  on conflict (account_id, line_id, handle, reference, total) where closed_at is null
  do update set parts = excluded.parts || s.parts,
    last_part_at = case when s.parts ? :number then s.last_part_at else excluded.last_part_at end,
    closed_at = case when (select count(*) from jsonb_object_keys(excluded.parts || s.parts)) = s.total
      then excluded.last_part_at end
  returning id, closed_at is not null as is_closed, parts -> :number ->> 'digest' = :digest as "is_stored!"`,
);

async function upsertPart({ line, from, part, octets, encoding }: SmsPart) {
  const content = { octets: octets.toString("base64"), encoding };
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("base64");
  const stored: StoredParts = { [part.number]: { digest, content } };
  const [row] = await sql.run(STORE_SMS_PART, {
    accountId: line.accountId,
    lineId: line.id,
    randomUUID: randomUUID(),
    from,
    reference: part.reference,
    total: part.total,
    stored: JSON.stringify(stored),
    now: now(),
    number: String(part.number),
    digest,
  });
  if (row === undefined) throw new Error("a part of an SMS was not stored");
  return row;
}

const CLOSE_SMS_PART_SET = statement(
  "close-sms-part-set",
  "update sms_part_sets set closed_at = coalesce(closed_at, :now) where account_id = :accountId and id = :id",
);

async function closeSet(accountId: string, id: string): Promise<void> {
  await sql.run(CLOSE_SMS_PART_SET, { accountId, id, now: now() });
}

const CLOSED = `select s.account_id, s.line_id, l.phone_number, l.line_type, s.id, s.handle, s.total, s.parts,
    (select coalesce(json_agg(e.parts), '[]') from sms_part_sets e
     where e.account_id = s.account_id and e.line_id = s.line_id and e.handle = s.handle and e.reference = s.reference
       and e.total = s.total and (e.closed_at, e.id) < (s.closed_at, s.id)
       and (e.stored_at is null or e.stored_at > :before)) as "earlier: StoredParts[]"
  from sms_part_sets s join lines l on l.account_id = s.account_id and l.id = s.line_id`;

const READ_CLOSED_SMS_PART_SETS = statement(
  "read-closed-sms-part-sets",
  `${CLOSED} where s.account_id = :accountId and s.id = any(:ids::uuid[]) and s.closed_at is not null and s.stored_at is null`,
);

/** Reads closed sets whose texts are not stored yet. */
export async function readClosedSets(accountId: string, ids: readonly string[]): Promise<ClosedSet[]> {
  const rows = await sql.run(READ_CLOSED_SMS_PART_SETS, { accountId, before: before(REPEATED_MS), ids });
  return rows.map(toClosedSet);
}

const CLOSE_DUE_SMS_PART_SETS = statement(
  "close-due-sms-part-sets",
  `with gone as (delete from sms_part_sets where stored_at < :storedAt)
  update sms_part_sets set closed_at = coalesce(closed_at, :now)
  where stored_at is null and (last_part_at < :before or closed_at < :closedAt) returning account_id, id`,
);

/**
 * Closes the sets of all lines whose next part is late, and returns those, and sets whose texts should have been stored
 * long ago. Deletes sets that are no longer needed to recognize repeated parts.
 */
export async function closeDueSets(): Promise<ClosedSet[]> {
  const closed = await sql.run(CLOSE_DUE_SMS_PART_SETS, {
    before: before(PART_WAIT_MS),
    storedAt: before(REPEATED_MS),
    now: now(),
    closedAt: before(AGAIN_MS),
  });
  const sets = await Promise.all(closed.map(({ account_id, id }) => readClosedSets(account_id, [id])));
  return sets.flat();
}

const END_SMS_PART_SET = statement(
  "end-sms-part-set",
  `update sms_part_sets set stored_at = :now,
    parts = (select jsonb_object_agg(key, value || '{"content": null}') from jsonb_each(parts))
  where account_id = :accountId and id = :id`,
);

/** Ends a set whose text is stored. Digests of its parts are kept to recognize repeats. */
export async function endSet(accountId: string, id: string): Promise<void> {
  await sql.run(END_SMS_PART_SET, { accountId, id, now: now() });
}

function before(ms: number): Date {
  return new Date(now().getTime() - ms);
}

function toClosedSet(row: SetRow): ClosedSet {
  const { account_id, line_id, phone_number, line_type, id, handle } = row;
  const line = { accountId: account_id, id: line_id, phoneNumber: phone_number, lineType: line_type };
  const isRepeat = row.earlier.some((earlier) => contains(earlier, row.parts));
  return { line, id, from: handle, text: isRepeat ? null : joinParts(row.parts, row.total) };
}

function contains(earlier: StoredParts, parts: StoredParts): boolean {
  return Object.entries(parts).every(([number, { digest }]) => earlier[number]?.digest === digest);
}

interface Run {
  encoding: Encoding;
  octets: Buffer[];
}

/** Parts with the same encoding are decoded together, because a part may end within a character. */
function joinParts(parts: StoredParts, total: number): string {
  let text = "";
  let run: Run | null = null;
  const endRun = () => {
    if (run !== null) text += decodeText(Buffer.concat(run.octets), run.encoding);
    run = null;
  };
  for (let number = 1; number <= total; number++) {
    const content = parts[number]?.content;
    if (content == null) {
      endRun();
      text += MISSING;
      continue;
    }
    const isSame: boolean = run !== null && isEqual(run.encoding, content.encoding);
    if (!isSame) endRun();
    run ??= { encoding: content.encoding, octets: [] };
    run.octets.push(Buffer.from(content.octets, "base64"));
  }
  endRun();
  return text;
}

function isEqual(one: Encoding, other: Encoding): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
