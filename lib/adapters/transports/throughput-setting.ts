import "server-only";
import { z } from "zod";
import type { Connection } from "@/lib/adapters/transports/callback";

/** The setting `throughput` of a connection: messages per second, with decimals. */
export function throughputSetting(
  { least, most, preset }: { least: number; most: number; preset: number },
  help: string,
) {
  return z
    .string()
    .regex(/^\d{1,5}(\.\d{1,3})?$/, "must be a number such as 0.5")
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .prefault(String(preset))
    .meta({ label: "Throughput", help, local: true });
}

/** The throughput of a stored connection; null where its settings are not valid. */
export function readThroughput(
  settings: z.ZodType<{ throughput: number }>,
  connection: Connection,
): number | null {
  return settings.safeParse(connection).data?.throughput ?? null;
}
