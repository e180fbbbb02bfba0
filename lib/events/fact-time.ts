import "server-only";
import { z } from "zod";

/** A time in stored facts, as JavaScript or PostgreSQL wrote it; read, it has the wire's one form. */
export const FactTime = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .pipe(z.iso.datetime());
