import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

/**
 * Parses `?name=a,b`: several values in one query parameter, empty when it is absent. Repeated parameters arrive
 * joined.
 */
export function commaList<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .check(maxUnits(4000))
    .default("")
    .transform((value) => value.split(",").filter((each) => each !== ""))
    .pipe(z.array(item));
}
