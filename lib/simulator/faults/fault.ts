import "server-only";
import { z } from "zod";
import { TRANSPORT_FAULT_CODES } from "@/lib/adapters/transports/simulator/apply-fault";
import { EVENT_TYPES } from "@/lib/events/catalog/event-types";
import { ERRORS } from "@/lib/platform/errors/errors";
import { FAULT_EFFECT_TYPES } from "@/lib/platform/sandbox/injected-fault";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";

const DAY_MS = 86_400_000;
const ROUTE = /^(GET|POST|PUT|PATCH|DELETE|\*) \/(v3)(\/[\w.~{}*-]+)*$/;

const FaultMatch = z
  .object({
    route: z
      .string()
      .regex(ROUTE, "use a method and a path of the API, such as POST /v3/chats/{chatId}/messages")
      .check(maxUnits(300))
      .optional()
      .meta({
        description:
          "Method and path of API calls, such as `POST /v3/chats/{chatId}/messages`. `*` matches any method, or any segment of the path.",
        examples: ["POST /v3/chats/{chatId}/messages"],
      }),
    code: z.int().optional().describe("Error code of API responses, alone or together with `route`."),
    line: PhoneNumber.optional().describe("Line that sends or receives messages."),
    handle: Handle.optional().describe("Handle of the phone that receives or sends messages."),
    direction: z
      .enum(["outbound", "inbound"])
      .optional()
      .describe(
        "With `line` or `handle`: `outbound` for messages from a line to a phone, `inbound` for messages from a phone to a line. Defaults to `outbound`.",
      ),
    event: z.enum(EVENT_TYPES).optional().describe("Type of delivered events."),
    endpoint: z
      .string()
      .check(maxUnits(2048))
      .optional()
      .describe("ID or target URL of the webhook subscription of deliveries."),
  })
  .refine((match) => surfaceOf(match) !== null, {
    message: "set route, code or both; or line, handle or both; or event, endpoint or both",
  })
  .refine((match) => match.direction === undefined || surfaceOf(match) === "network", {
    message: "direction needs line or handle",
  });

const FaultEffect = z.object({
  type: z.enum(FAULT_EFFECT_TYPES).describe("What happens."),
  code: z.int().optional().describe("With `error`: the error code."),
  status: z
    .int()
    .min(300)
    .max(599)
    .optional()
    .describe(
      "With `error`: the HTTP status of the response. For a webhook delivery, the endpoint's response.",
    ),
  delay_ms: z
    .int()
    .min(0)
    .max(DAY_MS)
    .optional()
    .describe("With `latency`, `reorder` and `stall`: the delay in milliseconds."),
});

const FaultCondition = z.object({
  nth: z.int().min(1).optional().describe("Acts only on this match, counted from 1."),
  first: z.int().min(1).optional().describe("Acts only on the first matches."),
  every: z.int().min(1).optional().describe("Acts on every n-th match."),
  probability: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("Acts on each match with this probability, determined by `seed` and the number of the match."),
  seed: z
    .string()
    .check(maxUnits(200))
    .optional()
    .describe("Determines the choices of `probability`. Defaults to the ID of the fault."),
  from: z.iso.datetime({ offset: true }).optional().describe("Start of the period, by the platform clock."),
  until: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("End of the period. Matches outside the period are not counted."),
});

export const NewFault = z
  .object({
    match: FaultMatch.describe("What the fault acts on. All given properties must match."),
    effect: FaultEffect.describe("What happens."),
    when: FaultCondition.optional().describe("Which matches the fault acts on. Defaults to all."),
  })
  .superRefine(({ match, effect }, ctx) => {
    const problem = effectProblem(surfaceOf(match), effect) ?? inboundProblem(match.direction, effect);
    if (problem !== null) ctx.addIssue({ code: "custom", path: ["effect"], message: problem });
  })
  .meta({
    examples: [
      {
        match: { route: "POST /v3/chats/{chatId}/messages" },
        effect: { type: "error", code: 4004, status: 503 },
        when: { first: 2 },
      },
    ],
  });

export type NewFault = z.output<typeof NewFault>;

export const Fault = z
  .object({
    id: z.uuid().describe("ID of the fault."),
    match: FaultMatch.describe("What the fault acts on."),
    effect: FaultEffect.describe("What happens."),
    when: FaultCondition.optional().describe("Which matches the fault acts on."),
    matched: z.int().describe("Number of matches."),
    applied: z.int().describe("Number of matches that the fault acted on."),
  })
  .meta({
    id: "SimulatorFault",
    description: "A fault that a sandbox account injects.",
    examples: [
      {
        id: "019ca9c2-4c0d-7e04-9d43-f8091a2b3c45",
        match: { route: "POST /v3/chats/{chatId}/messages" },
        effect: { type: "error", code: 4004, status: 503 },
        when: { first: 2 },
        matched: 5,
        applied: 2,
      },
    ],
  });

export type Fault = z.infer<typeof Fault>;

type Surface = "api" | "network" | "webhook";

/** The place where a fault acts; null for a match that names none or several. */
function surfaceOf(match: Readonly<Record<string, unknown>>): Surface | null {
  const named = (...names: string[]) => names.some((name) => match[name] !== undefined);
  const surfaces: Surface[] = [];
  if (named("route", "code")) surfaces.push("api");
  if (named("line", "handle")) surfaces.push("network");
  if (named("event", "endpoint")) surfaces.push("webhook");
  return surfaces.length === 1 ? (surfaces[0] ?? null) : null;
}

/** Why an effect is not possible on messages from phones; null when it is. */
function inboundProblem(
  direction: z.infer<typeof FaultMatch>["direction"],
  { type }: z.infer<typeof FaultEffect>,
): string | null {
  const isPossible = direction !== "inbound" || (type !== "error" && type !== "stall");
  return isPossible ? null : "inbound messages can have latency, drop, duplicate or reorder";
}

/** Why an effect is not possible there; null when it is. */
function effectProblem(surface: Surface | null, effect: z.infer<typeof FaultEffect>): string | null {
  if (effect.type === "latency" && effect.delay_ms === undefined) return "latency needs delay_ms";
  if (effect.type !== "error" || surface === null) return null;
  if (surface === "webhook") return effect.status === undefined ? "error needs status" : null;
  if (surface === "network") {
    const isKnown = TRANSPORT_FAULT_CODES.some((code) => code === effect.code);
    return isKnown ? null : `error needs code: one of ${TRANSPORT_FAULT_CODES.join(", ")}`;
  }
  const isKnown = Object.values(ERRORS).some(
    ({ code, status }) => code === effect.code && (effect.status ?? status) === status,
  );
  return isKnown ? null : "error needs a code of the error reference, and a status that this code has";
}
