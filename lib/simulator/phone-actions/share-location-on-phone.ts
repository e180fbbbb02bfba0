import "server-only";
import { z } from "zod";
import type { InboundLocation, Position } from "@/lib/adapters/transports/inbound";
import { sink } from "@/lib/adapters/transports/sink";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";
import { findOnlinePhone, PathHandle } from "@/lib/simulator/phone";
import { findConversation } from "@/lib/simulator/phone-actions/find/find-conversation";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const DAY_SECONDS = 86_400;
const MAX_TEXT = 500;

const PhonePosition = z.object({
  longitude: z.number().min(-180).max(180).describe("Longitude in degrees, from -180 to 180."),
  latitude: z.number().min(-90).max(90).describe("Latitude in degrees, from -90 to 90."),
  altitude: z.number().min(-1000).max(100_000).optional().describe("Altitude in meters."),
  address: z.string().check(maxUnits(MAX_TEXT)).optional().describe("Street address of the position."),
  locality: z.string().check(maxUnits(MAX_TEXT)).optional().describe("City of the position."),
});

const where = {
  to: z.union([z.uuid(), PhoneNumber]).describe("Number of a line, or ID of a chat that the phone is in."),
  shared_by: Handle.optional().describe(
    "Email address that the share is tied to instead of the phone's handle, as when shared from the locator app.",
  ),
};

const Sharing = {
  tag: "Simulator",
  right: "send_messages",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle }),
  returns: z
    .object({
      shared_by: z.string().describe("Handle of the contact who shares."),
      shared_with: z.string().describe("Number of the line, in E.164 format."),
    })
    .meta({ examples: [{ shared_by: "+12025550123", shared_with: "+12025550100" }] }),
  status: 200,
  errors: [
    "field_missing",
    "phone_not_e164",
    "parameter_invalid",
    "name_unknown",
    "chat_not_found",
    "access_denied",
    "line_not_permitted",
    "state_conflict",
    "feature_not_available",
  ],
  extension: true,
} as const;

export const ShareLocationOnPhone = contract({
  ...Sharing,
  summary: "Start sharing a simulated phone's location with a line",
  description: "Starts sharing the location of the phone with a line. Arrives as `location.sharing.started`.",
  body: z
    .object({
      ...where,
      position: PhonePosition.optional().describe("The first position."),
      ends_in_seconds: z
        .int()
        .min(1)
        .max(DAY_SECONDS)
        .optional()
        .describe("Seconds until the share ends, up to one day. Omit for a share without an end."),
    })
    .meta({
      examples: [
        { to: "+12025550100", position: { longitude: -122.4194, latitude: 37.7749 }, ends_in_seconds: 3600 },
      ],
    }),
});

export const MovePhone = contract({
  ...Sharing,
  summary: "Move a simulated phone that shares its location",
  description:
    "Moves a phone that shares its location. Read the position with `GET /v3/chats/{chatId}/location`; no event follows.",
  body: z
    .object({ ...where, position: PhonePosition.describe("The new position.") })
    .meta({ examples: [{ to: "+12025550100", position: { longitude: -122.4089, latitude: 37.7837 } }] }),
});

export const StopSharingOnPhone = contract({
  ...Sharing,
  summary: "Stop sharing a simulated phone's location",
  description: "Stops sharing the location of the phone. Arrives as `location.sharing.stopped`.",
  body: z.object(where).meta({ examples: [{ to: "+12025550100" }] }),
});

/** The phone starts sharing its location, indefinitely unless an end is given. Errors: as `ShareLocationOnPhone`. */
export function shareLocationOnPhone(ctx: Context, { params, body }: Input<typeof ShareLocationOnPhone>) {
  const { position, ends_in_seconds } = body;
  return report(ctx, params.handle, body, {
    change: "started",
    at: ctx.now,
    endsAt: ends_in_seconds === undefined ? null : new Date(ctx.now.getTime() + ends_in_seconds * 1000),
    position: position === undefined ? null : toPosition(position),
  });
}

/** The phone moves. No event reports it unless the phone is sharing its location. Errors: as `MovePhone`. */
export function movePhone(ctx: Context, { params, body }: Input<typeof MovePhone>) {
  return report(ctx, params.handle, body, {
    change: "moved",
    at: ctx.now,
    position: toPosition(body.position),
  });
}

/** The phone stops sharing its location. Errors: as `StopSharingOnPhone`. */
export function stopSharingOnPhone(ctx: Context, { params, body }: Input<typeof StopSharingOnPhone>) {
  return report(ctx, params.handle, body, { change: "stopped", at: ctx.now });
}

type Change = InboundLocation extends infer Report
  ? Report extends InboundLocation
    ? Omit<Report, "type" | "from">
    : never
  : never;

async function report(
  ctx: Context,
  handle: string,
  { to, shared_by }: { to: string; shared_by?: string | undefined },
  change: Change,
) {
  requireSandbox(ctx);
  const phone = await findOnlinePhone(ctx.account.id, handle);
  const { line, isUp } = await findConversation(ctx, phone.handle, to);
  if (!isUp) fail("state_conflict", "the line is down and receives nothing");
  if (line.lineType !== "iMessage")
    fail("state_conflict", "locations can be shared only with a line that supports iMessage");

  const from = shared_by ?? phone.handle;
  await sink().receive(line, [{ type: "location", from, ...change }]);
  return { shared_by: from, shared_with: line.phoneNumber };
}

function toPosition({ longitude, latitude, ...more }: z.infer<typeof PhonePosition>): Position {
  const { altitude = null, address = null, locality = null } = more;
  return { longitude, latitude, altitude, address, locality };
}
