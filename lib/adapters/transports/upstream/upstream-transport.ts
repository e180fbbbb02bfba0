import "server-only";
import { readThroughput } from "@/lib/adapters/transports/throughput-setting";
import type { Cap, Transport } from "@/lib/adapters/transports/transport";
import { actAtUpstream } from "@/lib/adapters/transports/upstream/upstream-act";
import { upstreamOf } from "@/lib/adapters/transports/upstream/upstream-api";
import {
  parseUpstreamCallback,
  readUpstreamAgain,
} from "@/lib/adapters/transports/upstream/upstream-callback";
import { setUpstreamCard } from "@/lib/adapters/transports/upstream/upstream-card";
import { openSource } from "@/lib/adapters/transports/upstream/upstream-files";
import { checkLine } from "@/lib/adapters/transports/upstream/upstream-line";
import { outcomeAtUpstream } from "@/lib/adapters/transports/upstream/upstream-outcome";
import { pollUpstream } from "@/lib/adapters/transports/upstream/upstream-poll";
import { probeAtUpstream } from "@/lib/adapters/transports/upstream/upstream-probe";
import { sendToUpstream } from "@/lib/adapters/transports/upstream/upstream-send";
import { UpstreamSettings } from "@/lib/adapters/transports/upstream/upstream-settings";
import type { ServiceType } from "@/lib/platform/prisma/enums";

// An upstream sends app clips only for links that it issued itself.
const CAPS = {
  iMessage: new Set<Cap>([
    "decorations",
    "effect",
    "group",
    "group_members",
    "group_leave",
    "group_name",
    "group_icon",
    "media",
    "sticker",
    "inline_sticker",
    "link_card",
    "app_card",
    "mention",
    "reply",
    "reaction",
    "edit",
    "unsend",
    "typing",
    "read",
    "background",
    "contact_share",
    "location",
    "poll",
  ]),
  RCS: new Set<Cap>(["group", "group_members", "media", "reaction", "typing", "read"]),
  SMS: new Set<Cap>(["group", "media"]),
} as const satisfies Record<ServiceType, ReadonlySet<Cap>>;

/** Upstreams allow one capability check per ten seconds, so a result is used for six hours. */
const CAPABILITY_SECONDS = 6 * 60 * 60;
const POLL_SECONDS = 30;

/**
 * iMessage, RCS and SMS through a line of another service with the same API: another Trunkline, or the original. Our
 * message ids are the idempotency keys, so any process can send, and a message can't be sent twice.
 */
export const upstreamTransport: Transport = {
  name: "upstream",
  settings: UpstreamSettings,
  throughput: (connection) => readThroughput(UpstreamSettings, connection),
  caps: (service) => CAPS[service],
  choosesService: true,
  capabilityCacheSeconds: CAPABILITY_SECONDS,
  test: async (line, connection, signal) => {
    await checkLine(await upstreamOf(line, connection), signal);
    return [];
  },
  probe: probeAtUpstream,
  send: sendToUpstream,
  outcome: outcomeAtUpstream,
  setContactCard: setUpstreamCard,
  act: actAtUpstream,
  parseCallback: parseUpstreamCallback,
  readAgain: readUpstreamAgain,
  poll: { everySeconds: POLL_SECONDS, read: pollUpstream },
  openFile: async (line, connection, source, signal) =>
    openSource(await upstreamOf(line, connection), source, signal),
};
