import "server-only";
import { z } from "zod";
import { oidcProvider } from "@/lib/identity/sso/oidc-client";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";

/** More groups than any provider puts into a token: a longer list can't be read as a whole. */
const MAX_GROUPS = 10_000;
const MAX_GROUP_NAME = 255;

type Claims = Readonly<Record<string, unknown>>;

const Groups = z.union([z.string().transform((name) => [name]), z.array(z.string())]);

interface WithoutClaim {
  /** The groups of a person whose ID token and user information both lack the claim. */
  absent: [] | null;
  /** The groups of a person whose ID token lacks the claim, while the user information was not asked for. */
  unasked: [] | null;
}

/** Providers leave out an empty claim, and a browser can leave out a scope: a sign-on without the claim has no groups. */
export const AT_SIGN_ON: WithoutClaim = { absent: [], unasked: [] };
/** A complete answer without the claim has no groups, because the person can have left the last one. */
export const AT_REFRESH: WithoutClaim = { absent: [], unasked: null };
/** The tokens of a refresh need not repeat claims (OpenID Connect Core 12.2), and this one had no ID token. */
export const AT_REFRESH_WITHOUT_ID_TOKEN: WithoutClaim = { absent: null, unasked: null };

/**
 * A person's groups from the claim OIDC_GROUPS_CLAIM of the ID token, or else from the provider's user information. Returns
 * null when the groups are unknown: the provider says that they are elsewhere (Microsoft Entra, above 200 groups), or sends
 * something else. Returns `absent` when the provider answered without the claim, and `unasked` when only the ID token
 * could be read. Throws if the provider does not respond.
 */
export async function readGroups(
  claims: Claims,
  accessToken: string | undefined,
  { absent, unasked }: WithoutClaim,
): Promise<string[] | null> {
  const inToken = groupsIn(claims);
  if (inToken !== undefined) return inToken;
  const isElsewhere = elsewhere(claims);
  if (accessToken === undefined || !(await hasGroupRoles())) return isElsewhere ? null : unasked;
  const { client } = await oidcProvider();
  if (client.issuer.metadata.userinfo_endpoint === undefined) return isElsewhere ? null : absent;
  const userInfo: Claims = await client.userinfo(accessToken);
  if (userInfo.sub !== claims.sub) throw new Error("the user information is about another person");
  const inUserInfo = groupsIn(userInfo);
  if (inUserInfo !== undefined) return inUserInfo;
  return isElsewhere || elsewhere(userInfo) ? null : absent;
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

const ANY_GROUP_ROLE = statement("any-group-role", "select 1 from group_roles limit 1");

async function hasGroupRoles(): Promise<boolean> {
  const rows = await sql.run(ANY_GROUP_ROLE);
  return rows.length > 0;
}
