import "server-only";
import { z } from "zod";
import { Experience, toExperience } from "@/lib/payments/experiences/experience";
import { experiences } from "@/lib/payments/experiences/registry";
import { contract } from "@/lib/platform/contract";

export const ListExperiences = contract({
  summary: "List experiences",
  description: "Returns the experiences and actions that your account can send.",
  tag: "Experiences",
  right: "view_lines",
  returns: z.object({ experiences: z.array(Experience).describe("Experiences of the account.") }),
  status: 200,
  errors: [],
});

/** Lists every experience that a message can send (docs/contract.md, section 15). */
export async function listExperiences() {
  return { experiences: [...experiences.keys()].flatMap((name) => toExperience(name) ?? []) };
}
