import "server-only";
import { z } from "zod";
import { Country } from "@/lib/platform/text/phone-handle";

const wholeNumber = (least: number, most: number, preset: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .prefault(String(preset));

/** The settings of a line's connection to an SMS center. Each value is a string, as in a line's connection. */
export const SmppSettings = z.object({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .meta({ label: "Host", help: "The host name or IP address of the SMS center.", target: true }),
  port: wholeNumber(1, 65_535, 2775).meta({
    label: "Port",
    help: "2775, or the port that the carrier assigned. With TLS often 3550.",
    target: true,
  }),
  tls: z.enum(["on", "off"]).prefault("on").meta({
    label: "TLS",
    help: "Encrypts the connection. Turn it off only if the connection runs through a VPN.",
  }),
  ca: z.string().max(20_000).optional().meta({
    label: "CA certificate",
    help: "PEM, if the SMS center's certificate is not from a public authority.",
  }),
  system_id: z
    .string()
    .min(1)
    .max(15)
    .meta({ label: "System ID", help: "The user name of the bind, at most 15 characters." }),
  password: z
    .string()
    .max(64)
    .meta({ label: "Password", help: "Many SMS centers take at most 8 characters.", secret: true }),
  system_type: z
    .string()
    .max(12)
    .prefault("")
    .meta({ label: "System type", help: "Leave empty unless the carrier requires it." }),
  bind: z.enum(["transceiver", "transmitter_receiver"]).prefault("transceiver").meta({
    label: "Bind",
    help: "transceiver: one connection in both directions. transmitter_receiver: one connection for each direction.",
  }),
  source_address: z
    .string()
    .regex(/^[0-9A-Za-z ]{1,20}$/, "must be a number without + or a name of up to 20 letters and digits")
    .optional()
    .meta({
      label: "Source address",
      help: "The sender that recipients see. By default the number of the line.",
    }),
  source_ton: wholeNumber(0, 6, 1).meta({
    label: "Source TON",
    help: "1 = international, 5 = alphanumeric.",
  }),
  source_npi: wholeNumber(0, 18, 1).meta({ label: "Source NPI", help: "1 = E.164, 0 for a name." }),
  dest_ton: wholeNumber(0, 6, 1).meta({
    label: "Destination TON",
    help: "1 = international. 0 if the carrier requires an unknown type.",
  }),
  dest_npi: wholeNumber(0, 18, 1).meta({ label: "Destination NPI", help: "1 = E.164." }),
  service_type: z
    .string()
    .max(5)
    .prefault("")
    .meta({ label: "Service type", help: "Leave empty unless the carrier requires it." }),
  default_alphabet: z.enum(["gsm", "latin1"]).prefault("gsm").meta({
    label: "Default alphabet",
    help: "The encoding of data_coding 0: GSM 7-bit, or Latin-1. Carriers document it.",
  }),
  country: Country.optional().meta({
    label: "Country",
    help: "Two letters. Senders without a country code are from this country. By default that of the line's number.",
  }),
  long_messages: z.enum(["parts", "payload"]).prefault("parts").meta({
    label: "Long messages",
    help: "parts: Trunkline divides long texts. payload: the SMS center does (message_payload).",
  }),
  message_ids: z.enum(["auto", "same", "hex_then_decimal", "decimal_then_hex"]).prefault("auto").meta({
    label: "Message IDs",
    help: "The notation of IDs in responses and then in receipts. auto recognizes it from the first receipts.",
  }),
  throughput: wholeNumber(1, 10_000, 10).meta({
    label: "Throughput",
    help: "Messages per second that the carrier allows. Each part of a long text counts.",
  }),
  window: wholeNumber(1, 1000, 10).meta({
    label: "Window",
    help: "Messages that wait for a response at the same time.",
  }),
  enquire_seconds: wholeNumber(5, 600, 30).meta({
    label: "Enquire interval",
    help: "Seconds between checks of an idle connection.",
  }),
});

export type SmppSettings = z.infer<typeof SmppSettings>;
