import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/max-units";

const NAME_MAX = 100;

/** The header with the chat's id, unless the subscription names another one. */
export const DEFAULT_ROUTING_ID_HEADER = "Linq-Chat-Id";

/** The longest routing token that is learned. */
export const ROUTING_TOKEN_MAX = 1024;

// Headers that HTTP, the connection or the signature need.
const RESERVED =
  /^(accept|authorization|connection|content-.*|cookie|date|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent|webhook-.*|x-webhook-.*)$/i;

/** The name of a header for delivery affinity; null or "" clears it (contract.md 0, Events). */
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
