import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { askPhone, readPhone } from "@/lib/adapters/transports/android/android-api";
import type { AndroidSettings } from "@/lib/adapters/transports/android/android-settings";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { normalizeSender } from "@/lib/platform/text/phone-handle";

/** Earlier versions lose reports of sent messages and read one SMS twice. */
const LEAST_VERSION = [1, 70, 1] as const;
const MMS_VERSION = [1, 74, 0] as const;

const Health = z.object({
  version: z.string().optional().catch(undefined),
  checks: z.record(
    z.string(),
    z.object({ status: z.string().optional(), description: z.string().optional() }),
  ),
});

const Sim = z.object({ simNumber: z.int(), phoneNumber: z.string().nullish().catch(null) });

const Device = z.object({
  id: z.string().min(1).max(200),
  /** When SMSGate was installed: a restored backup has the id of the earlier installation. */
  createdAt: z.iso.datetime({ offset: true }).optional().catch(undefined),
  simCards: z.array(Sim).default([]).catch([]),
});
type Device = z.infer<typeof Device>;

/** Reads which phone it is, and its SIM cards: none without the permission Phone. Throws AdapterError. */
export async function readDevice(settings: AndroidSettings, signal: AbortSignal): Promise<Device> {
  const { found } = await readPhone(settings, z.array(Device).min(1), { path: "/device", signal });
  return found[0] ?? fail();
}

/** The settings by which a line knows its phone again. */
export const Pin = z.object({ device_id: z.string(), installed_at: z.string().optional() });

/** The pin of a phone. */
export function pinOf({ id, createdAt }: Device): { device_id: string; installed_at?: string } {
  return { device_id: id, ...(createdAt !== undefined && { installed_at: toInstant(createdAt) }) };
}

/** Whether it is the phone, and the installation of SMSGate, that the line was connected with. */
export function isSameDevice(settings: AndroidSettings, device: Device): boolean {
  return isSamePin(pinOf(device), settings);
}

/** Whether settings, with the device that was stored in them, are of a phone and its installation of SMSGate. */
export function isSamePin(pin: z.infer<typeof Pin>, { device_id, installed_at }: AndroidSettings): boolean {
  const isInstallation =
    installed_at === undefined || pin.installed_at === undefined || pin.installed_at === installed_at;
  return (device_id === undefined || device_id === pin.device_id) && isInstallation;
}

/** Throws AdapterError `line_down` for another phone or installation. */
export function failUnlessSame(settings: AndroidSettings, device: Device): void {
  if (isSameDevice(settings, device)) return;
  throw new AdapterError("line_down", "another phone, or a new installation of SMSGate, has this address");
}

/** The phone writes times in its zone, which changes. */
function toInstant(createdAt: string): string {
  return new Date(createdAt).toISOString();
}

/**
 * Checks that SMSGate answers and is recent enough, and returns its failed checks, such as a low battery: then it
 * answers 500, and works. Throws AdapterError.
 */
export async function checkHealth(settings: AndroidSettings, signal: AbortSignal): Promise<string[]> {
  const { body } = await askPhone(settings, { path: "/health", signal });
  const health = Health.safeParse(body);
  if (!health.success) throw new AdapterError("line_down", "the address is not that of SMSGate");
  const { version, checks } = health.data;
  const least = settings.mms === "on" ? MMS_VERSION : LEAST_VERSION;
  if (version !== undefined && isOlder(version, least)) {
    throw new AdapterError(
      "line_down",
      `SMSGate ${version} is too old: update it to ${least.join(".")} or later`,
    );
  }
  return Object.entries(checks).flatMap(([name, { status, description }]) =>
    status?.toLowerCase() === "fail" ? `The phone reports: ${description ?? name}.` : [],
  );
}

/**
 * Tests a connection: the address, the version, the password and the SIM card. Returns what does not work well. Throws
 * AdapterError.
 */
export async function testPhone(
  line: LineRef,
  settings: AndroidSettings,
  signal: AbortSignal,
): Promise<string[]> {
  const warnings = await checkHealth(settings, signal);
  const { simCards } = await readDevice(settings, signal);
  const sims = simCards.map(({ simNumber }) => String(simNumber));
  if (sims.length === 0 && settings.sim !== undefined) {
    throw new AdapterError(
      "line_down",
      "the phone does not show its SIM cards: allow SMSGate the permission Phone, or leave the SIM out",
    );
  }
  if (sims.length === 0) {
    return [...warnings, "The phone does not show its SIM cards: allow SMSGate the permission Phone."];
  }
  if (settings.sim !== undefined && !sims.includes(settings.sim)) {
    throw new AdapterError("line_down", `the phone has no SIM card ${settings.sim}`);
  }
  if (settings.sim === undefined && sims.length > 1) {
    warnings.push("The phone has several SIM cards, and the line reads the messages of all: enter its SIM.");
  }
  const sim = simCards.find(({ simNumber }) => (settings.sim ?? sims[0]) === String(simNumber));
  const number = sim?.phoneNumber ?? "";
  if (number !== "" && normalizeSender(number, null) !== line.phoneNumber) {
    warnings.push("The SIM card says that it has another number than the line.");
  }
  return warnings;
}

/** Lets the phone send the oldest message first: otherwise it sends the newest first. Throws AdapterError. */
export async function sendInOrder(settings: AndroidSettings, signal: AbortSignal): Promise<void> {
  const Settings = z.object({ messages: z.object({ processing_order: z.string().optional() }).optional() });
  const { found } = await readPhone(settings, Settings, { path: "/settings", signal });
  if (found.messages?.processing_order === "FIFO") return;
  const body = { messages: { processing_order: "FIFO" } };
  await readPhone(settings, z.unknown(), { method: "PATCH", path: "/settings", body, signal });
}

/** A version such as 1.75.0; anything else, such as a build of one's own, is taken as recent. */
function isOlder(version: string, least: readonly number[]): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (parts === undefined) return false;
  const place = least.findIndex((part, index) => parts[index] !== part);
  return place >= 0 && (parts[place] ?? 0) < (least[place] ?? 0);
}

function fail(): never {
  throw new AdapterError("line_down", "the phone does not say which device it is");
}
