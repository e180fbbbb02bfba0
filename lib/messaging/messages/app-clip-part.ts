import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/max-units";

const URL_MOST = 2048;

/** A checkout link, or a URL of a registered app clip; iMessage only (partner-api.md, app_clip). */
export const AppClipPart = z
  .object({ type: z.literal("app_clip"), value: z.string().min(1).check(maxUnits(URL_MOST)) })
  .meta({ id: "AppClipPart" });

/** An app clip with what its card says, composed when it was sent (contract.md 2.7). */
export const StoredAppClipPart = z.object({
  type: z.literal("app_clip"),
  value: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  image_url: z.string().optional(),
});

export type StoredAppClipPart = z.infer<typeof StoredAppClipPart>;
