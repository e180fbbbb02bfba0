import "server-only";
import { z } from "zod";
import { throughputSetting } from "@/lib/adapters/transports/throughput-setting";

/** The settings of a line's connection to an upstream. Each value is a string, as in a line's connection. */
export const UpstreamSettings = z.object({
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .meta({
      label: "API URL",
      help: "The URL before /v3, for example https://trunkline.example.com.",
      target: true,
    }),
  api_token: z.string().min(1).max(500).meta({
    label: "API token",
    help: "A token of the upstream account that has the line.",
    secret: true,
  }),
  phone_number: z
    .string()
    .regex(/^\+[1-9]\d{1,14}$/, "must be a number such as +12025550100")
    .optional()
    .meta({
      label: "Upstream line",
      help: "The number of the line in the upstream account, if it differs from this line's number.",
    }),
  throughput: throughputSetting(
    { least: 0.1, most: 1000, preset: 20 },
    "Messages per second that this line sends to the upstream, at most 1000.",
  ),
  kind: z.enum(["trunkline", "other"]).optional().meta({ managed: true }),
  subscription_id: z.string().optional().meta({ managed: true }),
  signing_secret: z.string().optional().meta({ managed: true, secret: true }),
});

export type UpstreamSettings = z.infer<typeof UpstreamSettings>;
