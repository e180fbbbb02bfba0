import "server-only";
import { z } from "zod";

/** The position of a message in the order of acceptance, as used in cursors: a bigint of PostgreSQL. */
export const Position = z.string().regex(/^\d{1,18}$/, "a position");

/** Before all messages. */
export const FIRST_POSITION = "0";

/** After all messages. */
export const LAST_POSITION = "9223372036854775807";
