import "server-only";
import { z } from "zod";
import type { RowOf } from "@/lib/platform/database/statement";

/** A position as GeoJSON: longitude, latitude, and altitude in meters if known. */
const Coordinates = z
  .union([z.tuple([z.number(), z.number()]), z.tuple([z.number(), z.number(), z.number()])])
  .meta({
    description: "Longitude and latitude in degrees, and altitude in meters if known.",
    examples: [[-122.4194, 37.7749]],
  });

const LocationFeature = z
  .object({
    type: z.literal("Feature").describe("GeoJSON type. Always `Feature`."),
    geometry: z
      .object({
        type: z.literal("Point").describe("GeoJSON type. Always `Point`."),
        coordinates: Coordinates,
      })
      .describe("The position as a GeoJSON geometry."),
    properties: z
      .object({
        handle: z.string().meta({
          description: "Phone number or email address of the contact who shares the location.",
          examples: ["+12025550123"],
        }),
        address: z
          .string()
          .optional()
          .meta({
            description: "Street address of the position. Absent if unknown.",
            examples: ["1 Market St"],
          }),
        locality: z
          .string()
          .optional()
          .meta({ description: "City of the position. Absent if unknown.", examples: ["San Francisco"] }),
        updated_at: z.iso.datetime().optional().describe("When the position was last reported."),
      })
      .describe("The contact who shares the location, and details of the position."),
  })
  .meta({ id: "LocationFeature", description: "The location of one contact, as a GeoJSON Feature." });

type LocationFeature = z.infer<typeof LocationFeature>;

/** The locations shared in a chat; no features when there are none (docs/contract.md, section 8.4). */
export const ChatLocation = z.object({
  success: z.boolean().meta({ description: "Always `true`.", examples: [true] }),
  data: z
    .object({
      type: z.literal("FeatureCollection").describe("GeoJSON type. Always `FeatureCollection`."),
      features: z
        .array(LocationFeature)
        .describe("One feature for each contact who shares a location; empty if no contact does."),
    })
    .describe("The shared locations as a GeoJSON FeatureCollection."),
});

/** The response to requesting a location, or to ending its share (docs/contract.md, section 1.3). */
export const LocationAck = z
  .object({
    success: z.boolean().describe("Always `true`."),
    message: z.string().describe("Description of the result, in English."),
  })
  .meta({
    id: "LocationRequestResponse",
    description: "Confirms a location request, or the end of a share.",
    examples: [{ success: true, message: "Location request sent" }],
  });

/** A row of `location_shares` that has a position. */
export type SharedPosition = RowOf<"get-chat-location">;

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
