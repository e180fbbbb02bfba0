import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";

/** A message passes at most this many lines after ours. */
const MAX_ROUTE = 3;

const Lines = z.object({
  phone_numbers: z.array(
    z.object({
      id: z.string(),
      phone_number: z.string(),
      status: z.string().nullish(),
      /** Present where the upstream is a Trunkline whose line has an upstream of its own; null while unchecked. */
      upstream_lines: z.array(z.string()).nullish(),
    }),
  ),
});

/** The line in the upstream account. */
export interface UpstreamLine {
  /** null where the upstream does not say. */
  isFlagged: boolean | null;
  /** The ids of the lines that a message passes after ours. */
  route: string[];
}

/**
 * Reads the line of the upstream account. Throws AdapterError `line_down` with the reason: the token is not valid, the
 * account does not have the line, or messages would come back to this line.
 */
export async function checkLine(api: UpstreamApi, signal: AbortSignal): Promise<UpstreamLine> {
  const { phone_numbers } = await api.call("GET /v3/phone_numbers", { schema: Lines, signal });
  const found = phone_numbers.find(({ phone_number }) => phone_number === api.number);
  if (found === undefined) {
    throw new AdapterError("line_down", `the upstream account has no line ${api.number}`);
  }
  if (found.upstream_lines === null) {
    throw new AdapterError("line_down", "the upstream line is not connected yet");
  }
  const route = [found.id, ...(found.upstream_lines ?? [])];
  if (route.includes(api.line.id)) {
    throw new AdapterError("line_down", "the upstream line leads back to this line");
  }
  if (route.length > MAX_ROUTE) {
    throw new AdapterError("line_down", `messages would pass more than ${MAX_ROUTE} lines`);
  }
  const isFlagged = found.status == null ? null : found.status === "FLAGGED";
  return { isFlagged, route };
}
