import "server-only";
import { z } from "zod";

/** Of the operations a client may repeat by `Idempotency-Key`; the key space is the operation's own (contract.md 0). */
export const IdempotencyHeaders = z.object({ "idempotency-key": z.string().min(1).max(255).optional() });
