import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Output } from "@/lib/platform/contract";

export const GetPartnerId = contract({
  summary: "Get the partner ID of the token",
  description:
    "Returns the ID of the partner that the token belongs to. A Trunkline extension, used by command line tools.",
  tag: "Account",
  returns: z.object({
    partnerId: z
      .uuid()
      .meta({ description: "ID of the partner.", examples: ["019ca9c0-0000-7000-8000-5a1f0c9e2b34"] }),
  }),
  status: 200,
  errors: [],
  extension: true,
});

/**
 * The `partner_id` in the account's webhooks, which the vendor's command line requests
 * (docs/contract.md, section 16.2).
 */
export async function getPartnerId({ account }: Context): Promise<Output<typeof GetPartnerId>> {
  return { partnerId: account.partnerId };
}
