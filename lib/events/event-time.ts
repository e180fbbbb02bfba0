import "server-only";
import { z } from "zod";

/** A time in stored data, as JavaScript or PostgreSQL wrote it; read, it has the wire's one form. */
export const EventTime = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .pipe(z.iso.datetime());
