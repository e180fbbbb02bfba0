import { describe, expect, test } from "vitest";
import type { Capability } from "@/lib/adapters/transports/transport";
import { chooseService } from "@/lib/messaging/sending/choose-service";
import type { ServiceType } from "@/lib/platform/prisma/enums";

const IPHONE = "+15550000001";
const ANDROID = "+15550000002";
const OLD = "+15550000003";
const UNKNOWN = "+15550000004";
const EMAIL = "ann@example.com";

const CAPABILITY: Record<string, Partial<Record<ServiceType, Capability>>> = {
  [IPHONE]: { iMessage: "yes" },
  [ANDROID]: { RCS: "yes" },
  [OLD]: {},
  [UNKNOWN]: { iMessage: "unknown", RCS: "unknown" },
  [EMAIL]: { iMessage: "yes", RCS: "yes" },
};

const probe = async (handle: string, service: ServiceType): Promise<Capability> =>
  CAPABILITY[handle]?.[service] ?? "no";

describe("choose service", () => {
  test.each<[ServiceType, ServiceType | null, string[], ServiceType | null]>([
    ["iMessage", null, [IPHONE], "iMessage"],
    ["iMessage", null, [ANDROID], "RCS"],
    ["iMessage", null, [OLD], "SMS"],
    ["iMessage", null, [UNKNOWN], "SMS"],
    ["RCS", null, [IPHONE], "SMS"],
    ["RCS", null, [ANDROID], "RCS"],
    ["RCS", "iMessage", [IPHONE], "SMS"],
    ["iMessage", "SMS", [IPHONE], "SMS"],
    ["iMessage", "RCS", [IPHONE], "SMS"],
    ["iMessage", "RCS", [ANDROID], "RCS"],
    ["iMessage", "RCS", [UNKNOWN], "SMS"],
    ["iMessage", "iMessage", [ANDROID], "RCS"],
    ["iMessage", "iMessage", [UNKNOWN], "iMessage"],
    ["iMessage", null, [IPHONE, IPHONE], "iMessage"],
    ["iMessage", null, [IPHONE, ANDROID], "SMS"],
    ["iMessage", null, [EMAIL], "iMessage"],
    ["iMessage", null, [EMAIL, OLD], null],
    ["RCS", null, [EMAIL], null],
    ["iMessage", "SMS", [EMAIL], null],
  ])("a line with %s, preferring %s, to %j: %s", async (lineType, preferred, recipients, expected) => {
    expect(await chooseService({ hasRcs: true, lineType, preferred, recipients }, probe)).toBe(expected);
  });

  test("where RCS is off, a recipient with only RCS gets SMS, and no RCS capability is looked up", async () => {
    const asked: ServiceType[] = [];
    const criteria = { lineType: "iMessage", hasRcs: false, preferred: null, recipients: [ANDROID] } as const;
    const service = await chooseService(criteria, (handle, tried) => {
      asked.push(tried);
      return probe(handle, tried);
    });
    expect([service, asked]).toEqual(["SMS", ["iMessage"]]);
  });

  test("asks nothing when SMS is all that is left", async () => {
    const asked: ServiceType[] = [];
    await chooseService(
      { hasRcs: true, lineType: "iMessage", preferred: "SMS", recipients: [IPHONE] },
      async (_, service) => {
        asked.push(service);
        return "yes";
      },
    );
    expect(asked).toEqual([]);
  });
});
