import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { checkSmpp } from "@/lib/adapters/transports/smpp/check-smpp";
import { openSession, smppSendsOf } from "@/lib/adapters/transports/smpp/smpp-session";
import { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";
import { startStoringDueSets } from "@/lib/adapters/transports/smpp/store-closed-sets";
import type { Transport } from "@/lib/adapters/transports/transport";

/**
 * SMS through the SMS center of a carrier or aggregator (SMPP 3.4). Text only. One worker process keeps the binds
 * of all lines of an account, which lines with the same settings share.
 */
export const smppTransport: Transport = {
  name: "smpp",
  label: "SMPP",
  settings: SmppSettings,
  caps: () => new Set(),
  capabilityCacheSeconds: 0,
  async test(_, connection) {
    await checkSmpp(SmppSettings.parse(connection));
    return [];
  },
  probe: async () => "no",
  async send(message, signal) {
    const sends = smppSendsOf(message.line);
    if (sends === undefined)
      throw new AdapterError("line_down", "the line is not connected to an SMS center");
    return sends.send(message, signal);
  },
  outcome: async (line, messageId) => smppSendsOf(line)?.outcome(messageId) ?? { state: "unknown" },
  async act({ action }) {
    throw new AdapterError("unsupported", `SMS has no ${action.type}`);
  },
  sessions: { open: openSession },
  start: startStoringDueSets,
};
