import "server-only";
import { z } from "zod";
import { throughputSetting } from "@/lib/adapters/transports/throughput-setting";

const LEAST_TTL = 60;
const MOST_TTL = 86_400;

/** The settings of a line's connection to a phone with SMSGate. Each value is a string, as in a line's connection. */
export const AndroidSettings = z.object({
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .meta({
      label: "Phone URL",
      help: "The local address that the app shows, for example http://192.168.1.20:8080. Over http, its host must be in TRANSPORT_ALLOW_PRIVATE.",
      target: true,
    }),
  username: z
    .string()
    .min(1)
    .max(200)
    .prefault("sms")
    .meta({ label: "Username", help: "On the app's start page, under Local server." }),
  password: z
    .string()
    .min(1)
    .max(200)
    .meta({ label: "Password", help: "On the app's start page, under Local server.", secret: true }),
  sim: z.enum(["1", "2", "3"]).optional().meta({
    label: "SIM",
    help: "The slot of the line's SIM card. Enter it if the phone has two: messages to the other one are not read.",
  }),
  mms: z.enum(["on", "off"]).prefault("off").meta({
    label: "Send MMS",
    help: "Sends files as MMS. Needs SMSGate 1.74, and is reliable only if SMSGate is the phone's default SMS app.",
  }),
  throughput: throughputSetting(
    { least: 0.01, most: 100, preset: 0.1 },
    "Messages per second. Android stops apps that send too fast, so keep to 0.1 or less.",
  ),
  ttl: z
    .string()
    .regex(/^\d{1,6}$/, "must be a number of seconds")
    .transform(Number)
    .pipe(z.number().min(LEAST_TTL).max(MOST_TTL))
    .prefault("3600")
    .meta({
      label: "Send within",
      help: "Seconds. A message that the phone has not sent by then fails, instead of being sent late.",
    }),
  device_id: z.string().optional().meta({ managed: true }),
  installed_at: z.string().optional().meta({ managed: true }),
});

export type AndroidSettings = z.infer<typeof AndroidSettings>;
