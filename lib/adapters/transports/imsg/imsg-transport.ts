import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { checkImsg } from "@/lib/adapters/transports/imsg/check-imsg";
import { actOnMac } from "@/lib/adapters/transports/imsg/imsg-act";
import { ImsgEnded } from "@/lib/adapters/transports/imsg/imsg-rpc";
import { imsgSessionOf, openImsgSession } from "@/lib/adapters/transports/imsg/imsg-session";
import { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import { readThroughput } from "@/lib/adapters/transports/throughput-setting";
import type { Cap, Transport } from "@/lib/adapters/transports/transport";

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
  "typing",
  "read",
  "contact_share",
]);
const SMS: ReadonlySet<Cap> = new Set(["media"]);
const NONE: ReadonlySet<Cap> = new Set();
const CAPS = { iMessage: IMESSAGE, RCS: NONE, SMS } as const;

const Check = z.object({ available: z.boolean() });

/** A check that imsg did not respond to because it ended has changed nothing. */
function toLineDown(error: unknown): never {
  throw error instanceof ImsgEnded ? new AdapterError("line_down", error.message) : error;
}

/**
 * iMessage, and SMS over an iPhone, through the Messages app of a Mac with the program imsg (openclaw/imsg, version
 * 0.15). One worker process runs imsg for a line.
 */
export const imsgTransport: Transport = {
  name: "imsg",
  settings: ImsgSettings,
  throughput: (connection) => readThroughput(ImsgSettings, connection),
  caps: (service) => CAPS[service],
  capabilityCacheSeconds: 3600,
  test: (_, connection) => checkImsg(ImsgSettings.parse(connection)),
  async probe(line, handle, service) {
    if (service !== "iMessage") return "no";
    const session = imsgSessionOf(line.id);
    if (!session.isUsable("handles.check")) {
      return session.settings.assume_imessage === "on" ? "yes" : "unknown";
    }
    const checked = await session.call("handles.check", { address: handle }).catch(toLineDown);
    return Check.parse(checked).available ? "yes" : "no";
  },
  send: async (message, signal) => imsgSessionOf(message.line.id).sends.send(message, signal),
  outcome: async (line, messageId) => imsgSessionOf(line.id).sends.outcome(messageId),
  act: async (action) => actOnMac(imsgSessionOf(action.target.line.id), action),
  poll: {
    everySeconds: 30,
    read: async (line, _, cursor, signal) => imsgSessionOf(line.id).readAfter(cursor, signal),
  },
  sessions: { open: openImsgSession },
};
