import "server-only";
import { z } from "zod";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import type { Payload } from "@/lib/events/catalog/payload";

/** The author of a change; only team members are named. */
const AccountActor = z
  .object({
    type: z
      .enum(["team_member", "api", "system", "unknown"])
      .describe("`team_member` in the dashboard, `api` with a token, `system` by Trunkline itself."),
    id: z.uuid().optional().describe("ID of the team member."),
    name: z.string().optional().describe("Name of the team member."),
    email: z.string().optional().describe("Email address of the team member."),
  })
  .meta({
    id: "AccountActor",
    description:
      "The actor that made the change. `id`, `name` and `email` are present for team members only.",
  });

/** The properties of every account event besides its objects (docs/contract.md, section 12.6). */
export const AccountChange = z
  .object({
    summary: z.string().describe("Readable summary of the change, in one sentence. The wording may change."),
    occurred_at: EventTime.describe("When the change was made."),
    actor: AccountActor.describe("The actor that made the change."),
    origin: z
      .enum(["dashboard", "api", "service"])
      .describe("Where the change was made: `dashboard`, `api` or `service`."),
  })
  .meta({ id: "AccountChange", description: "A change to the account, with its actor, time and origin." });

type WithChange<Objects extends z.ZodObject> = z.ZodIntersection<typeof AccountChange, Objects>;

/** The payload of an account event, and its summary. */
export interface AccountPayload<Data extends z.ZodType = z.ZodType, Shown extends z.ZodType = z.ZodType>
  extends Payload<Data, Shown, Shown> {
  /** The summary; `by` is the author ("by Ada"). Throws when the objects are not those of the event. */
  summarize(objects: unknown, by: string): string;
}

/** The payload of one account event. */
interface AccountEvent<Objects extends z.ZodObject> {
  objects: Objects;
  sentence(objects: z.output<Objects>, by: string): string;
  example: z.input<Objects>;
}

const EXAMPLE_ACTOR = {
  type: "team_member",
  id: "019ca9c0-1000-7edb-83aa-d6172839405b",
  name: "Ada Lovelace",
  email: "ada@example.com",
} as const;

/** The payload of an account event that contains its objects as they are stored. */
export function accountPayload<Objects extends z.ZodObject>(
  event: AccountEvent<Objects>,
): AccountPayload<WithChange<Objects>, WithChange<Objects>> {
  const { objects, sentence } = event;
  const schema = z.intersection(AccountChange, objects);
  const summarize = (stored: unknown, by: string) => sentence(objects.parse(stored), by);
  return {
    data: schema,
    schemas: { "2025-01-01": schema, "2026-02-03": schema },
    example: {
      summary: summarize(event.example, `by ${EXAMPLE_ACTOR.name}`),
      occurred_at: EXAMPLE_TIME,
      actor: EXAMPLE_ACTOR,
      origin: "dashboard",
      ...event.example,
    },
    render: (_version, stored) => schema.parse(stored),
    summarize,
  };
}

/** Like `accountPayload`, for objects whose wire format differs from the stored one. */
export function shownAccountPayload<Objects extends z.ZodObject, Shown extends z.ZodObject>(
  event: AccountEvent<Objects> & { shown: Shown; show(objects: z.output<Objects>): z.input<Shown> },
): AccountPayload<WithChange<Objects>, WithChange<Shown>> {
  const shown = z.intersection(AccountChange, event.shown);
  return {
    ...accountPayload(event),
    schemas: { "2025-01-01": shown, "2026-02-03": shown },
    render: (_version, stored) => ({
      ...AccountChange.parse(stored),
      ...event.show(event.objects.parse(stored)),
    }),
  };
}

/** The value before and after a change; null = there was, or is, none. */
export function changePayload<Value extends z.ZodType>(value: Value) {
  return z.object({
    from: value.describe("The value before the change."),
    to: value.describe("The value after the change."),
  });
}
