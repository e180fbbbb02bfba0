import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { checkImsg } from "@/lib/adapters/transports/imsg/check-imsg";
import { actOnMac } from "@/lib/adapters/transports/imsg/imsg-act";
import { serviceOf } from "@/lib/adapters/transports/imsg/imsg-chats";
import { openMacFile } from "@/lib/adapters/transports/imsg/imsg-files";
import { ImsgEnded } from "@/lib/adapters/transports/imsg/imsg-rpc";
import {
  type ImsgSession,
  imsgSessionOf,
  openImsgSession,
} from "@/lib/adapters/transports/imsg/imsg-session";
import { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import { readThroughput } from "@/lib/adapters/transports/throughput-setting";
import type { Cap, Capability, Transport } from "@/lib/adapters/transports/transport";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** Includes the features of the bridge. Without the bridge, using one fails. */
const IMESSAGE: ReadonlySet<Cap> = new Set([
  "effect",
  "group",
  "group_members",
  "group_leave",
  "group_name",
  "group_icon",
  "media",
  "reply",
  "reaction",
  "edit",
  "unsend",
  "typing",
  "read",
  "contact_share",
  "poll",
  "sticker",
  "link_card",
]);
const FILES: ReadonlySet<Cap> = new Set(["media"]);
const CAPS = { iMessage: IMESSAGE, RCS: FILES, SMS: FILES } as const;
/** The service of a chat says how the person writes. After this time it is asked again who has iMessage. */
const CHAT_DAYS = 7;

const Check = z.object({ available: z.boolean() });

/** A check that imsg did not respond to because it ended has changed nothing. */
function toLineDown(error: unknown): never {
  throw error instanceof ImsgEnded ? new AdapterError("line_down", error.message) : error;
}

/** Whether a person can be reached: those who write over SMS or RCS are answered over it. */
async function probeChat(session: ImsgSession, handle: string, service: ServiceType): Promise<Capability> {
  const chat = await session.findDirect(handle);
  const used = chat === null ? null : serviceOf(chat, chat.guid);
  if (service === "RCS") return used === "RCS" ? "yes" : "no";
  if (!session.isUsable("handles.check")) {
    if (used !== null) return used === "iMessage" ? "yes" : "no";
    return session.settings.assume_imessage === "on" ? "yes" : "unknown";
  }
  if (used !== null && used !== "iMessage" && isRecent(chat?.last_message_at)) return "no";
  return Check.parse(await session.call("handles.check", { address: handle })).available ? "yes" : "no";
}

function isRecent(at = ""): boolean {
  return Date.now() - new Date(at).getTime() < CHAT_DAYS * 86_400_000;
}

/**
 * iMessage, and SMS and RCS over an iPhone, through the Messages app of a Mac with the program imsg (openclaw/imsg, version
 * 0.15). One worker process runs imsg for a line.
 */
export const imsgTransport: Transport = {
  name: "imsg",
  settings: ImsgSettings,
  throughput: (connection) => readThroughput(ImsgSettings, connection),
  caps: (service) => CAPS[service],
  capabilityCacheSeconds: 300,
  test: (_, connection) => checkImsg(ImsgSettings.parse(connection)),
  async probe(line, handle, service) {
    if (service === "SMS") return "no";
    const session = imsgSessionOf(line);
    return probeChat(session, handle, service).catch(toLineDown);
  },
  send: async (message, signal) => imsgSessionOf(message.line).sends.send(message, signal),
  outcome: async (line, messageId) => imsgSessionOf(line).sends.outcome(messageId),
  act: async (action) => actOnMac(imsgSessionOf(action.target.line), action),
  poll: {
    everySeconds: 30,
    read: async (line, _, cursor, signal) => imsgSessionOf(line).readAfter(cursor, signal),
  },
  openFile: async (_, connection, source, signal) =>
    openMacFile(ImsgSettings.parse(connection), source, signal),
  sessions: { open: openImsgSession },
};
