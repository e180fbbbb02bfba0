import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/max-units";

const URL_MOST = 2048;

/** A URL that is delivered as a preview card (partner-api.md, link). */
export const LinkPart = z
  .object({ type: z.literal("link"), value: z.url({ protocol: /^https?$/ }).check(maxUnits(URL_MOST)) })
  .meta({ id: "LinkPart" });

export const StoredLinkPart = z.object({ type: z.literal("link"), value: z.string() });

export type StoredLinkPart = z.infer<typeof StoredLinkPart>;
