import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { connectionOf } from "@/lib/adapters/transports/callback";
import { readThroughput } from "@/lib/adapters/transports/throughput-setting";
import type { Cap, Transport } from "@/lib/adapters/transports/transport";
import { checkAccount, openMedia } from "@/lib/adapters/transports/twilio/twilio-api";
import { parseTwilioCallback } from "@/lib/adapters/transports/twilio/twilio-callback";
import { openTwilioSession, twilioSendsOf } from "@/lib/adapters/transports/twilio/twilio-session";
import { TwilioSettings } from "@/lib/adapters/transports/twilio/twilio-settings";

const CAPS: ReadonlySet<Cap> = new Set(["media"]);
const NO_CAPS: ReadonlySet<Cap> = new Set();

/**
 * SMS, MMS and RCS through Twilio. With an RCS sender, Twilio chooses between RCS and SMS, and callbacks report its
 * choice.
 */
export const twilioTransport: Transport = {
  name: "twilio",
  label: "Twilio",
  settings: TwilioSettings,
  throughput: (connection) => readThroughput(TwilioSettings, connection),
  async test(_, connection) {
    await checkAccount(TwilioSettings.parse(connection));
    return [];
  },
  caps: (service) => (service === "iMessage" ? NO_CAPS : CAPS),
  capabilityCacheSeconds: 0,
  async probe(line, _, service) {
    if (service !== "RCS") return "no";
    const settings = TwilioSettings.safeParse(await connectionOf(line));
    return settings.success && settings.data.rcs === "on" ? "yes" : "no";
  },
  async send(message, signal) {
    const sends = twilioSendsOf(message.line);
    if (sends === undefined) throw new AdapterError("line_down", "the line is not connected to Twilio");
    return sends.send(message, signal);
  },
  outcome: async (line, messageId) => twilioSendsOf(line)?.outcome(messageId) ?? { state: "unknown" },
  async act({ action }) {
    throw new AdapterError("unsupported", `Twilio has no ${action.type}`);
  },
  parseCallback: async (line, connection, request) =>
    parseTwilioCallback(line, TwilioSettings.parse(connection), request),
  openFile: (_, connection, source, signal) => openMedia(TwilioSettings.parse(connection), source, signal),
  sessions: { open: openTwilioSession },
};
