import "server-only";
import { z } from "zod";
import { oidcProvider } from "@/lib/identity/sso/oidc-client";
import { sql } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";

/** More groups than any provider puts into a token: a longer list can't be read as a whole. */
const MAX_GROUPS = 10_000;
const MAX_GROUP_NAME = 255;

type Claims = Readonly<Record<string, unknown>>;

const Groups = z.union([z.string().transform((name) => [name]), z.array(z.string())]);

/**
 * A person's groups from the claim OIDC_GROUPS_CLAIM of the ID token, or else from the provider's user information. Returns
 * null when the groups are unknown: the provider says that they are elsewhere (Microsoft Entra, above 200 groups), or sends
 * something else. Returns `absent` when neither has the claim: a sign-on without it is one without groups, because providers
 * leave out an empty claim and a browser can leave out a scope; the tokens of a refresh need not repeat it (OpenID Connect
 * Core 12.2), and the groups are unknown. Throws if the provider does not respond.
 */
export async function readGroups(
  claims: Claims,
  accessToken: string | undefined,
  { absent }: { absent: [] | null },
): Promise<string[] | null> {
  const inToken = groupsIn(claims);
  if (inToken !== undefined) return inToken;
  const unlessElsewhere = elsewhere(claims) ? null : absent;
  if (accessToken === undefined || !(await hasGroupRoles())) return unlessElsewhere;
  const { client } = await oidcProvider();
  if (client.issuer.metadata.userinfo_endpoint === undefined) return unlessElsewhere;
  const userInfo: Claims = await client.userinfo(accessToken);
  if (userInfo.sub !== claims.sub) throw new Error("the user information is about another person");
  const inUserInfo = groupsIn(userInfo);
  if (inUserInfo !== undefined) return inUserInfo;
  return elsewhere(userInfo) ? null : unlessElsewhere;
}

/** The groups in the claim; null for a claim that can't be read, undefined without the claim. */
function groupsIn(claims: Claims): string[] | null | undefined {
  const claim = claims[env().OIDC_GROUPS_CLAIM];
  if (claim === undefined || claim === null) return undefined;
  const parsed = Groups.safeParse(claim);
  if (!parsed.success || parsed.data.length > MAX_GROUPS) return null;
  return parsed.data.filter((name) => name.length <= MAX_GROUP_NAME && !name.includes("\0"));
}

/** Whether the claim is an aggregated or distributed one (OpenID Connect Core 5.6.2), or Entra's `hasgroups`. */
function elsewhere({ _claim_names: names, hasgroups }: Claims): boolean {
  const claim = env().OIDC_GROUPS_CLAIM;
  if (typeof names === "object" && names !== null && Object.hasOwn(names, claim)) return true;
  return claim === "groups" && (hasgroups === true || hasgroups === "true");
}

async function hasGroupRoles(): Promise<boolean> {
  const rows = await sql.query({ name: "any-group-role", text: "select 1 from group_roles limit 1" });
  return rows.length > 0;
}
