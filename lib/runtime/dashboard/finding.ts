import { z } from "zod";

/** The types of objects that the command palette finds. */
const FOUND_TYPES = [
  "agent_payment",
  "attachment",
  "audit",
  "chat",
  "customer",
  "delivery",
  "event",
  "line",
  "member",
  "message",
  "near_miss",
  "opt_out",
  "payment_request",
  "replay",
  "request",
  "subscription",
  "token",
  "trace",
] as const;

/** A result of the command palette. */
export const Finding = z.object({
  type: z.enum(FOUND_TYPES),
  /** The object's id; for a customer the handle, for a trace the trace id. */
  id: z.string(),
  title: z.string(),
  detail: z.string().nullable(),
  /** The dashboard page of the object. */
  path: z.string(),
});

export type Finding = z.infer<typeof Finding>;
