import "server-only";
import { z } from "zod";
import { accountPayload } from "@/lib/events/catalog/account-payload";
import { defineEvents } from "@/lib/events/catalog/define-events";

const TeamMemberRef = z.object({
  id: z.uuid().describe("ID of the team member."),
  name: z.string().optional().describe("Name of the team member."),
});

const MemberObjects = z.object({ team_member: TeamMemberRef.describe("The team member.") });

const EXAMPLE = { team_member: { id: "019ca9c0-1000-7edb-83aa-d6172839405b", name: "Ada Lovelace" } };

/** `data` of team_member.added, the only member event with the role (docs/contract.md, section 12.6). */
const memberAddedPayload = accountPayload({
  objects: z.object({
    team_member: TeamMemberRef.extend({
      role: z.enum(["admin", "manager", "member"]).describe("Role of the team member."),
    }).describe("The team member."),
  }),
  sentence: ({ team_member }, by) => `${named(team_member)} was added to the team ${by}.`,
  example: { team_member: { ...EXAMPLE.team_member, role: "manager" } },
});

/** `data` of team_member.signed_in. `code` means a secret of Trunkline itself, such as a password. */
const memberSignedInPayload = accountPayload({
  objects: MemberObjects.extend({
    method: z
      .enum(["code", "sso", "google", "apple", "linkedin"])
      .describe("Sign-in method of the team member. `code` stands for a password or a one-time code."),
  }),
  sentence: ({ team_member }) => `${named(team_member)} signed in.`,
  example: { ...EXAMPLE, method: "sso" },
});

/** `data` of team_member.signed_out. */
const memberSignedOutPayload = accountPayload({
  objects: MemberObjects,
  sentence: ({ team_member }) => `${named(team_member)} signed out.`,
  example: EXAMPLE,
});

function named({ name }: z.infer<typeof TeamMemberRef>): string {
  return name ?? "A team member";
}

export const TEAM_MEMBER_EVENTS = defineEvents({
  "team_member.added": memberAddedPayload,
  "team_member.signed_in": memberSignedInPayload,
  "team_member.signed_out": memberSignedOutPayload,
});
