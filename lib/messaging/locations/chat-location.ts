import "server-only";
import { z } from "zod";

/** Where somebody is, as GeoJSON: longitude, latitude, and metres of altitude where they are known. */
const Coordinates = z.union([
  z.tuple([z.number(), z.number()]),
  z.tuple([z.number(), z.number(), z.number()]),
]);

const LocationFeature = z
  .object({
    type: z.literal("Feature"),
    geometry: z.object({ type: z.literal("Point"), coordinates: Coordinates }),
    properties: z.object({
      /** Who shares: a phone number or an e-mail address. */
      handle: z.string(),
      address: z.string().optional(),
      locality: z.string().optional(),
      updated_at: z.iso.datetime().optional(),
    }),
  })
  .meta({ id: "LocationFeature" });

type LocationFeature = z.infer<typeof LocationFeature>;

/** The locations shared in a chat; no features when there are none (partner-api.md, Location). */
export const ChatLocation = z.object({
  success: z.boolean(),
  data: z.object({ type: z.literal("FeatureCollection"), features: z.array(LocationFeature) }),
});

/** What asking for a location, or ending its share, answers (contract.md 2.16). */
export const LocationAck = z
  .object({ success: z.boolean(), message: z.string() })
  .meta({ id: "LocationRequestResponse" });

/** A row of `location_shares` that has a position. */
export interface SharedPosition {
  handle: string;
  longitude: number;
  latitude: number;
  altitude: number | null;
  address: string | null;
  locality: string | null;
  position_at: Date;
}

export function toFeature(row: SharedPosition): LocationFeature {
  const { longitude, latitude, altitude, address, locality } = row;
  return {
    type: "Feature",
    geometry: {
      type: "Point",
      coordinates: altitude === null ? [longitude, latitude] : [longitude, latitude, altitude],
    },
    properties: {
      handle: row.handle,
      ...(address !== null && { address }),
      ...(locality !== null && { locality }),
      updated_at: row.position_at.toISOString(),
    },
  };
}
