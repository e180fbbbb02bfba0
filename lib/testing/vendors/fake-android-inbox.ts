import { now } from "@/lib/platform/time/clock";

/** A message that a person sends to the phone. */
export interface FakeInbound {
  from: string;
  text: string;
  /** When the sender's network took it, which is its time in the inbox. */
  at?: Date;
  /** null: SMSGate can't tell. */
  simNumber?: number | null;
  type?: "SMS" | "DATA_SMS" | "MMS" | "MMS_DOWNLOADED";
  /** The number of the message in Android's store, of which an MMS has its id. */
  androidId?: string;
  files?: readonly { name: string; contentType: string; bytes: Buffer | null; size?: number }[];
  /** SMSGate is not running: only Android has the message. */
  isMissed?: boolean;
}

interface InboxRow {
  id: string;
  type: string;
  sender: string;
  recipient: string | null;
  simNumber: number | null;
  contentPreview: string;
  createdAt: number;
  files: NonNullable<FakeInbound["files"]>;
}

export type FakeInbox = ReturnType<typeof createInbox>;

/**
 * The inbox of SMSGate: its ids are Java's hash codes of the address, the time, the SIM card and the text, a message
 * with a known id is taken for a repeat (issue 394), and the list is sorted by the time at which the network took them.
 */
export function createInbox() {
  const rows = new Map<string, InboxRow>();
  /** What Android received, whether or not SMSGate was running. */
  const store: InboxRow[] = [];
  let raw: unknown[] = [];
  let androidIds = 0;

  function save(row: InboxRow): void {
    if (!rows.has(row.id)) rows.set(row.id, row);
  }

  return {
    /** Returns the id of the row. */
    receive(message: FakeInbound): string {
      const { from, text, at = now(), simNumber = 1, type = "SMS", files = [], isMissed = false } = message;
      const androidId = message.androidId ?? String(++androidIds);
      const row: InboxRow = {
        id: idOf({ type, from, text, at, simNumber, androidId }),
        type,
        sender: from,
        recipient: null,
        simNumber,
        contentPreview: text,
        createdAt: at.getTime(),
        files,
      };
      store.push(row);
      if (!isMissed) save(row);
      return row.id;
    },
    /** Puts anything among the rows, newest first. */
    insertRaw: (value: unknown) => void raw.unshift(value),
    /** SMSGate cleans its inbox, which it does regularly since 1.70. */
    clean() {
      rows.clear();
      raw = [];
    },
    /** `toId` gives the rows that are read again another id: their SIM card is a part of it. */
    refresh(since: number, until: number, toId = (id: string) => id) {
      for (const row of store) {
        if (row.createdAt >= since && row.createdAt <= until) save({ ...row, id: toId(row.id) });
      }
    },
    /** The phone has written more files of an MMS. */
    setFiles(id: string, files: NonNullable<FakeInbound["files"]>) {
      const row = rows.get(id);
      if (row !== undefined) row.files = files;
    },
    list({ from, to, withFiles, withSims }: Listed): unknown[] {
      const found = [...rows.values()]
        .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
        .sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1));
      return [...raw, ...found.map((row) => show(withSims ? row : { ...row, simNumber: null }, withFiles))];
    },
    fileOf: (id: string, partId: number) => rows.get(id)?.files[partId]?.bytes ?? undefined,
  };
}

function show({ files, createdAt, simNumber, recipient, ...row }: InboxRow, withFiles: boolean): unknown {
  return {
    ...row,
    // Gson leaves out what is null.
    ...(simNumber !== null && { simNumber }),
    ...(recipient !== null && { recipient }),
    createdAt: inZone(createdAt),
    attachments: withFiles
      ? files.map(({ name, contentType, bytes, size }, partId) => ({
          partId,
          name,
          contentType,
          size: size ?? bytes?.length ?? 0,
        }))
      : [],
  };
}

/** SMSGate writes times in the zone of the phone. */
function inZone(ms: number): string {
  return `${new Date(ms + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`;
}

interface Listed {
  from: number;
  to: number;
  withFiles: boolean;
  /** Without the permission Phone, no row names its SIM card. */
  withSims: boolean;
}

interface Hashed {
  type: string;
  from: string;
  text: string;
  at: Date;
  simNumber: number | null;
  androidId: string;
}

function idOf({ type, from, text, at, simNumber, androidId }: Hashed): string {
  if (type === "MMS_DOWNLOADED") return `mms:${hashCode(androidId)}`;
  if (type === "MMS") return `mms-header:${hashCode(`transaction ${androidId}`)}`;
  const ms = BigInt(at.getTime());
  const ofDate = Number(BigInt.asIntN(32, ms ^ (ms >> 32n)));
  const ofMessage = [ofDate, simNumber ?? 0, hashCode(text)].reduce(
    (hash, each) => (Math.imul(31, hash) + each) | 0,
    hashCode(from),
  );
  return `${type === "SMS" ? "text" : "data"}:${ofMessage}`;
}

/** String.hashCode of Java. */
function hashCode(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  return hash;
}

/** A time with its zone, as SMSGate reads it. */
export function isDate(value: unknown): value is string {
  return (
    typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?(Z|[+-]\d\d:\d\d)$/.test(value)
  );
}
