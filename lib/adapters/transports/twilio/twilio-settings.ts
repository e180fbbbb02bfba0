import "server-only";
import { z } from "zod";
import { throughputSetting } from "@/lib/adapters/transports/throughput-setting";

const sid = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}[0-9a-fA-F]{32}$`), `must be ${prefix} and 32 hexadecimal digits`);

/** The settings of a line's connection to Twilio. Each value is a string, as in a line's connection. */
export const TwilioSettings = z
  .object({
    account_sid: sid("AC").meta({ label: "Account SID", help: "On the start page of the Twilio Console." }),
    auth_token: z.string().min(1).max(200).meta({
      label: "Auth token",
      help: "Also verifies Twilio's webhooks, so it must be the account's primary token.",
      secret: true,
    }),
    messaging_service_sid: sid("MG").optional().meta({
      label: "Messaging Service SID",
      help: "Sends with the senders of a Messaging Service instead of the number of the line.",
    }),
    rcs: z.enum(["on", "off"]).prefault("off").meta({
      label: "RCS",
      help: "The Messaging Service has an RCS sender. Twilio uses SMS where RCS fails.",
    }),
    fallback_from: z
      .string()
      .regex(/^\+[1-9]\d{1,14}$/, "must be a number such as +12025550100")
      .optional()
      .meta({ label: "Fallback sender", help: "The number that sends SMS when RCS fails." }),
    throughput: throughputSetting(
      { least: 0.1, most: 1000, preset: 10 },
      "Messages per second, at most 1000. Twilio sends 1 per second from a long code and queues the others.",
    ),
    base_url: z
      .url()
      .max(500)
      .prefault("https://api.twilio.com")
      .meta({ label: "API URL", help: "Change it only for a Twilio region.", target: true }),
  })
  .refine(({ rcs, messaging_service_sid }) => rcs === "off" || messaging_service_sid !== undefined, {
    path: ["messaging_service_sid"],
    message: "RCS requires a Messaging Service",
  });

export type TwilioSettings = z.infer<typeof TwilioSettings>;
