import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_NAME = 80;

/** The name of an endpoint in the dashboard. Blank text is no name. */
export const EndpointName = z
  .string()
  .trim()
  .check(maxUnits(MAX_NAME))
  .nullable()
  .transform((name) => (name === "" ? null : name));
