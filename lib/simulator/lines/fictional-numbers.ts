import "server-only";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { secretBytes } from "@/lib/platform/ids";

/** Numbers +1 NPA 555-0100 to 555-0199 are reserved for fiction: no telephone has them. */
const PER_AREA = 100;
const FIRST_IN_AREA = 100;

/** The area of the magic handles. No line and no range of phones is in this area. */
export const MAGIC_AREA = "500";

// Area codes have the form N[0-8]X. Codes such as 911 are services.
const AREAS = Array.from({ length: 800 }, (_, index) => String(200 + index)).filter(
  (area) => area[1] !== "9" && !area.endsWith("11") && area !== MAGIC_AREA,
);
// Lines are unique in the instance, phones within an account. Separate areas keep a line's number from being a phone.
const LINE_AREAS = AREAS.filter((_, index) => index % 2 === 0);
const PHONE_AREAS = AREAS.filter((_, index) => index % 2 === 1);

const LINE_COUNT = LINE_AREAS.length * PER_AREA;
/** Has no common factor with LINE_COUNT, so that the steps visit every number. */
const STEP = 7919;

/** The fictional number of an area with an index from 0 to 99. */
export function fictionalNumber(area: string, index: number): string {
  return `+1${area}5550${FIRST_IN_AREA + index}`;
}

/** A range of 100 fictional numbers for phones. The same seed gives the same range; null chooses at random. */
export function phoneRange(seed: string | null): { from: string; to: string } {
  const area = PHONE_AREAS[numberOf(seed, "phones") % PHONE_AREAS.length] ?? "";
  return { from: fictionalNumber(area, 0), to: fictionalNumber(area, PER_AREA - 1) };
}

/** All fictional numbers for lines, each once, in the order of the seed; null starts at random. */
export function* lineNumbers(seed: string | null): Generator<string> {
  const start = numberOf(seed, "lines");
  for (let count = 0; count < LINE_COUNT; count++) {
    const place = (start + count * STEP) % LINE_COUNT;
    yield fictionalNumber(LINE_AREAS[Math.floor(place / PER_AREA)] ?? "", place % PER_AREA);
  }
}

function numberOf(seed: string | null, purpose: string): number {
  return (seed === null ? secretBytes(4) : sha256(`${purpose}:${seed}`)).readUInt32BE(0);
}
