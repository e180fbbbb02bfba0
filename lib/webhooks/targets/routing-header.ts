import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

const NAME_MAX = 100;

/** The header with the chat's id, unless the subscription sets another one. */
export const DEFAULT_ROUTING_ID_HEADER = "Linq-Chat-Id";

/** Maximum length of a stored routing token. */
export const ROUTING_TOKEN_MAX = 1024;

// Headers that HTTP, the connection or the signature uses.
const RESERVED =
  /^(accept|authorization|connection|content-.*|cookie|date|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent|webhook-.*|x-webhook-.*)$/i;

/** A header name for delivery affinity; null or "" clears it (docs/contract.md, section 12.9). */
export const RoutingHeader = z
  .union([
    z.literal(""),
    z
      .string()
      .check(maxUnits(NAME_MAX))
      .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, "must be an HTTP header name")
      .refine((name) => !RESERVED.test(name), "is a header that Trunkline sets: choose another header"),
  ])
  .nullable()
  .transform((name) => name || null);
