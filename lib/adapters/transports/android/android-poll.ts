import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import {
  checkHealth,
  failUnlessSame,
  isSamePin,
  Pin,
  pinOf,
  readDevice,
  sendInOrder,
} from "@/lib/adapters/transports/android/android-device";
import { InboxPlace, readInbox } from "@/lib/adapters/transports/android/android-inbox";
import { Gap, openGap, pauseGap, refreshGap } from "@/lib/adapters/transports/android/android-refresh";
import { AndroidSettings } from "@/lib/adapters/transports/android/android-settings";
import { OpenMessage, readStates } from "@/lib/adapters/transports/android/android-states";
import { type Connection, extendConnection } from "@/lib/adapters/transports/callback";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { PolledLine, PolledPage } from "@/lib/adapters/transports/transport";
import { now } from "@/lib/platform/time/clock";

/** The pause between two polls of a phone. */
export const POLL_SECONDS = 5;
const CHECK_MS = 30_000;
/** How often all messages of the inbox are read, although its length says that none is missing. */
const WIDE_MS = 10 * 60_000;
/** A line starts with what arrived shortly before its first poll. */
const BEFORE_MS = 10 * 60_000;
/** Networks keep a message for a phone that is off for up to this long. */
const REACH_MS = 4 * 86_400_000;

/** What a cursor is of: the phone, the installation of SMSGate and the SIM card. */
const Source = Pin.extend({ sim: z.string().optional() });

/** The state of a line that one poll passes to the next. Times are in milliseconds. */
const Cursor = z.object({
  /** null before the first answer of the phone, and in cursors of earlier versions. */
  phone: Source.nullable().default(null),
  /** Older messages are never read. */
  since: z.int().nullable().default(null),
  readAt: z.int().nullable().default(null),
  gap: Gap.nullable().default(null),
  /** When the phone was last asked to read again what Android received shortly before. */
  refreshedAt: z.int().nullable().default(null),
  checkedAt: z.int().nullable().default(null),
  wideAt: z.int().nullable().default(null),
  isUp: z.boolean().default(false),
  hasOneSim: z.boolean().default(false),
  inbox: InboxPlace.default({ floor: 0, total: null, seen: [], skipped: [], held: [] }),
  states: z
    .object({
      open: z.array(OpenMessage),
      done: z.array(z.string()),
      newest: z.string().nullable().default(null),
    })
    .nullable()
    .default(null),
});
type Cursor = z.infer<typeof Cursor>;

/**
 * Reads the ends of outbound messages and the messages that arrived. The line is up while the phone answers as the
 * device that it was connected with, in a version that is recent enough, and sends in order; otherwise it is down, with
 * the reason. After a silence or a failure, the phone first reads again what Android received meanwhile. The cursor of
 * another phone, installation or SIM card is dropped.
 */
export async function pollAndroid(
  line: PolledLine,
  connection: Connection,
  cursorText: string | null,
  signal: AbortSignal,
): Promise<PolledPage> {
  let cursor = Cursor.parse(cursorText === null ? {} : JSON.parse(cursorText));
  try {
    const settings = await withDevice(line, connection, signal);
    cursor = ofPhone(cursor, connection, settings);
    return await poll({ line, settings, cursor, signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof AdapterError) || error.kind === "rate_limited") throw error;
    return toPage([{ type: "line", up: false, reason: error.message }], { ...cursor, isUp: false });
  }
}

/**
 * The cursor if it is of the phone that the settings name now, else a new one. A cursor of an earlier version names no
 * phone: it is of the one in the settings before this poll, if they had one.
 */
function ofPhone(cursor: Cursor, before: Connection, settings: AndroidSettings): Cursor {
  const phone = Source.parse(settings);
  const from = cursor.phone ?? Source.safeParse(before).data;
  const isSame = from !== undefined && isSamePin(from, settings) && from.sim === phone.sim;
  return isSame ? { ...cursor, phone: { ...from, ...phone } } : Cursor.parse({ phone });
}

interface Poll {
  line: PolledLine;
  settings: AndroidSettings;
  cursor: Cursor;
  signal: AbortSignal;
}

async function poll({ line, settings, cursor: before, signal }: Poll): Promise<PolledPage> {
  const at = now().getTime();
  const isBack = line.isUp === false || !before.isUp;
  const isWide = isBack || before.wideAt === null || at - before.wideAt >= WIDE_MS;
  const cursor = { ...before, since: before.since ?? at - BEFORE_MS };
  if (isBack || cursor.checkedAt === null || at - cursor.checkedAt >= CHECK_MS) {
    await checkHealth(settings, signal);
    cursor.checkedAt = at;
  }
  if (isWide) {
    const device = await readDevice(settings, signal);
    failUnlessSame(settings, device);
    await sendInOrder(settings, signal);
    cursor.hasOneSim = device.simCards.length === 1;
    cursor.wideAt = at;
  }
  const floor = Math.max(cursor.since, at - REACH_MS);
  if (isWide) {
    // Messages from before the line are remembered until they are no longer listed.
    const { inbox } = cursor;
    const skipped = at - REACH_MS < cursor.since ? inbox.skipped : [];
    cursor.inbox = { ...inbox, skipped, floor: Math.max(inbox.floor, at - REACH_MS) };
  }
  cursor.gap = openGap({ ...cursor, isBack, floor, at });
  const isRefreshed = cursor.gap !== null && cursor.gap.nextAt <= at;
  if (isRefreshed && cursor.gap !== null) {
    const { gap } = cursor;
    if (gap.until === null) cursor.refreshedAt = at;
    // A poll that fails afterwards keeps the pause.
    Object.assign(before, { gap: pauseGap(gap, at), refreshedAt: cursor.refreshedAt });
    cursor.gap = await refreshGap({ settings, gap, at, signal });
    before.gap = cursor.gap;
  }

  const states = await readStates({ lineId: line.id, settings, place: cursor.states, signal });
  const { hasOneSim, since } = cursor;
  const inbox = await readInbox({
    line,
    settings,
    place: cursor.inbox,
    isWide: isWide || isRefreshed,
    since,
    isFirst: cursor.readAt === null,
    hasOneSim,
    signal,
  });
  const up: InEvent[] = isBack ? [{ type: "line", up: true }] : [];
  const next = { ...cursor, readAt: at, isUp: true, states: states.place, inbox: inbox.place };
  return toPage([...up, ...states.events, ...inbox.events], next);
}

/** The settings with the device that they belong to, which is stored with the first answer of the phone. */
async function withDevice(
  line: PolledLine,
  connection: Connection,
  signal: AbortSignal,
): Promise<AndroidSettings> {
  const settings = AndroidSettings.safeParse(connection);
  if (!settings.success) throw new AdapterError("line_down", "the settings of the line are not complete");
  if (settings.data.device_id !== undefined) return settings.data;
  const added = pinOf(await readDevice(settings.data, signal));
  if (!(await extendConnection(line, connection, added))) {
    throw new AdapterError("rate_limited", "the connection of the line has changed");
  }
  return { ...settings.data, ...added };
}

function toPage(events: InEvent[], cursor: Cursor): PolledPage {
  return { events, cursor: JSON.stringify(cursor), more: false };
}
