import "server-only";
import type { PhonePlatform, ServiceType } from "@/lib/platform/prisma/enums";

/** The services of each platform, best first. A number without a phone behaves like `sms_only` and never answers. */
export const SERVICES = {
  iphone: ["iMessage", "SMS"],
  android_rcs: ["RCS", "SMS"],
  sms_only: ["SMS"],
} as const satisfies Record<PhonePlatform, readonly ServiceType[]>;

/** Returns the best service that a phone and a line both have (an RCS line never has iMessage). */
export function serviceBetween(platform: PhonePlatform, lineType: ServiceType): ServiceType {
  const has = (service: ServiceType) => service !== "iMessage" || lineType === "iMessage";
  return SERVICES[platform].find(has) ?? "SMS";
}
