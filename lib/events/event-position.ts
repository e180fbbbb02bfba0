import "server-only";
import { z } from "zod";

/** A place in the event log as it comes in requests: must be the number of an event, which streams give as the id. */
export const EventPosition = z
  .string()
  .regex(/^\d{1,15}$/, "must be the number of an event")
  .transform(Number);
