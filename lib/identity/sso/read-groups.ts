import "server-only";
import { z } from "zod";
import { oidcProvider } from "@/lib/identity/sso/oidc-client";
import { sql } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";

const MAX_GROUPS = 1000;
const MAX_GROUP_NAME = 255;

const Groups = z.union([z.string().transform((name) => [name]), z.array(z.string())]);

/**
 * A person's groups from the claim OIDC_GROUPS_CLAIM of the ID token, or else from the provider's user information. A
 * person without the claim has no groups. Throws if the provider does not respond.
 */
export async function readGroups(
  claims: Readonly<Record<string, unknown>>,
  accessToken: string | undefined,
): Promise<string[]> {
  const inToken = groupsIn(claims);
  if (inToken !== null) return inToken;
  if (accessToken === undefined || !(await hasGroupRoles())) return [];
  const { client } = await oidcProvider();
  if (client.issuer.metadata.userinfo_endpoint === undefined) return [];
  return groupsIn(await client.userinfo(accessToken)) ?? [];
}

function groupsIn(claims: Readonly<Record<string, unknown>>): string[] | null {
  const parsed = Groups.safeParse(claims[env().OIDC_GROUPS_CLAIM]);
  if (!parsed.success) return null;
  return parsed.data.filter((name) => name.length <= MAX_GROUP_NAME).slice(0, MAX_GROUPS);
}

async function hasGroupRoles(): Promise<boolean> {
  const rows = await sql.query({ name: "any-group-role", text: "select 1 from group_roles limit 1" });
  return rows.length > 0;
}
