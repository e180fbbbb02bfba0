import "server-only";
import { z } from "zod";

/** A time in stored data, written by JavaScript or PostgreSQL. Parsing converts it to the wire format. */
export const EventTime = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .pipe(z.iso.datetime());
