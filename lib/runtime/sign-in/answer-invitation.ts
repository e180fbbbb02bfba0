import "server-only";
import { z } from "zod";
import { acceptSignedIn, declineInvitation } from "@/lib/identity/people/accept-invitation";
import { findSession, type Session } from "@/lib/identity/sessions/find-session";
import { BODY_LIMIT_BYTES, contract } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";
import { readBody } from "@/lib/platform/http/read-body";
import { requireSameOrigin } from "@/lib/runtime/http/authenticate-session";
import { parseCookies } from "@/lib/runtime/http/parse-cookies";
import { parseInput } from "@/lib/runtime/http/parse-input";
import { plainRoute } from "@/lib/runtime/http/plain-route";

const params = z.object({ invitationId: z.uuid() });

const AcceptInvitation = contract({
  summary: "Accept an invitation to a partner",
  tag: "Session",
  right: "signed_in",
  params,
  /** The token of the invitation's link, for a person whose address no one has proved. */
  body: z.object({ token: z.string().max(200).optional() }),
  status: 204,
  errors: ["unauthorized", "access_denied", "parameter_invalid", "name_unknown"],
  extension: true,
});

const DeclineInvitation = contract({
  summary: "Decline an invitation to a partner",
  tag: "Session",
  right: "signed_in",
  params,
  status: 204,
  errors: ["unauthorized", "access_denied", "parameter_invalid", "name_unknown"],
  extension: true,
});

const accept = plainRoute(async (request, pathParams) => {
  const session = await requireOwnSession(request);
  const { url, headers } = request;
  const text = await readBody(request, { limitBytes: BODY_LIMIT_BYTES });
  const input = parseInput(AcceptInvitation, { url, params: pathParams, headers, text });
  await acceptSignedIn(session, input.params.invitationId, input.body.token);
  return new Response(null, { status: 204 });
});

const decline = plainRoute(async (request, pathParams) => {
  const session = await requireOwnSession(request);
  const { url, headers } = request;
  const input = parseInput(DeclineInvitation, { url, params: pathParams, headers, text: "" });
  await declineInvitation(session, input.params.invitationId);
  return new Response(null, { status: 204 });
});

/**
 * The routes with which a signed-in person accepts or declines an invitation, also without access to any account. Errors:
 * those of `acceptSignedIn`, unauthorized, access_denied (a cross-site request).
 */
export const acceptInvitationRoute = Object.assign(accept, { contract: AcceptInvitation });
export const declineInvitationRoute = Object.assign(decline, { contract: DeclineInvitation });

async function requireOwnSession(request: Request): Promise<Session> {
  requireSameOrigin(request);
  const cookies = parseCookies(request.headers.get("cookie"));
  return (await findSession((name) => cookies.get(name))) ?? fail("unauthorized", "sign in first");
}
