import "server-only";

/** Both ends are inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a Range header for this many bytes (RFC 9110, 14.2). null = the whole file, also for several ranges, other
 * units and invalid values. "unsatisfiable" = the range is outside the file.
 */
export function parseByteRange(header: string | null, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  if (match === null) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") return lastBytes(Number(last), sizeBytes);

  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= sizeBytes ? "unsatisfiable" : { start, end };
}

function lastBytes(count: number, sizeBytes: number): ByteRange | "unsatisfiable" {
  if (count === 0 || sizeBytes === 0) return "unsatisfiable";
  return { start: Math.max(0, sizeBytes - count), end: sizeBytes - 1 };
}
