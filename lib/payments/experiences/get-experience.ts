import "server-only";
import { z } from "zod";
import { Experience, toExperience } from "@/lib/payments/experiences/experience";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";
import { experienceNamed } from "@/lib/platform/text/accepted-names";

export const GetExperience = contract({
  summary: "Get an experience",
  description: "Returns an experience with the fields of its actions.",
  tag: "Experiences",
  right: "view_lines",
  params: z.object({
    experience: z.string().meta({ description: "Name of the experience.", examples: ["servicepay"] }),
  }),
  returns: Experience,
  status: 200,
  errors: ["name_unknown"],
});

/** Returns one experience with its actions and their fields. Errors: name_unknown. */
export async function getExperience(
  _: Context,
  { params }: Input<typeof GetExperience>,
): Promise<Experience> {
  return (
    toExperience(experienceNamed(params.experience)) ??
    fail(
      "name_unknown",
      `there is no experience "${params.experience}": use one that GET /v3/experiences lists`,
    )
  );
}
