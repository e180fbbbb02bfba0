import "server-only";
import { actOnPhones } from "@/lib/adapters/transports/simulator/act-on-phones";
import { probePhone } from "@/lib/adapters/transports/simulator/probe-phone";
import { startReporting } from "@/lib/adapters/transports/simulator/report-receipts";
import { findSentMessage, sendToPhones } from "@/lib/adapters/transports/simulator/send-to-phones";
import { setCardOnLine } from "@/lib/adapters/transports/simulator/set-card-on-line";
import { isCreatingGroups } from "@/lib/adapters/transports/simulator/wait-for-groups";
import type { Cap, Transport } from "@/lib/adapters/transports/transport";
import type { ServiceType } from "@/lib/platform/prisma/enums";

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
    "app_clip",
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

/**
 * Simulated phones, stored in the database. They receive, answer, read, and fail as configured (/simulator). A number
 * without a phone accepts SMS and never answers.
 */
export const simulator: Transport = {
  name: "simulator",
  sandboxOnly: true,
  caps: (service) => CAPS[service],
  // A phone may change its platform mid-thread.
  capabilityCacheSeconds: 0,
  probe: probePhone,
  send: sendToPhones,
  outcome: findSentMessage,
  setContactCard: setCardOnLine,
  act: actOnPhones,
  isCreating: isCreatingGroups,
  start: startReporting,
};
