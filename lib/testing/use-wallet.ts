import { relyingParty } from "@/lib/agent-payments/passkey-challenge";
import { callApi } from "@/lib/testing/call-api";
import { openPage } from "@/lib/testing/open-page";
import type { createAuthenticator } from "@/lib/testing/software-authenticator";

type Authenticator = ReturnType<typeof createAuthenticator>;

const pathOf = (url: string) => new URL(url).pathname;

/** Chooses a test card on the attach page. */
export async function attachCard(attachUrl: string, card = "pays"): Promise<number> {
  const body = new URLSearchParams({ card });
  return (await openPage(pathOf(attachUrl), { method: "POST", body })).response.status;
}

/** What a page asks a passkey. */
export async function askPasskey(url: string, what: "passkey/options" | "options") {
  const { body } = await callApi(`POST ${pathOf(url)}/${what}`, { body: {} });
  if (body.challenge === undefined) throw new Error(`no challenge: ${JSON.stringify(body)}`);
  return { challenge: String(body.challenge), ...relyingParty() };
}

/** Makes a passkey on the attach page. */
export async function makePasskey(
  attachUrl: string,
  authenticator: Authenticator,
  how?: { verifiesUser: boolean },
) {
  const asked = await askPasskey(attachUrl, "passkey/options");
  return callApi(`POST ${pathOf(attachUrl)}/passkey`, { body: authenticator.register(asked, how) });
}

/** Hands a signature to the approval page. */
export function handIn(approvalUrl: string, assertion: object) {
  return callApi(`POST ${pathOf(approvalUrl)}`, { body: assertion });
}

/** Approves on the approval page. */
export async function approve(
  approvalUrl: string,
  authenticator: Authenticator,
  how?: { verifiesUser: boolean },
) {
  return handIn(approvalUrl, authenticator.sign(await askPasskey(approvalUrl, "options"), how));
}
