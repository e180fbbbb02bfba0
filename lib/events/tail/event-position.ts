import "server-only";
import { z } from "zod";

/** A position in the event log in requests: the number of an event, which streams send as the event id. */
export const EventPosition = z
  .string()
  .regex(/^\d{1,15}$/, "must be the number of an event")
  .transform(Number);
