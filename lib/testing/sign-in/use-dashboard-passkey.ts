import {
  PasskeyProofOptions,
  ProveWithPasskey,
  passkeyProofOptions,
  proveWithPasskey,
} from "@/lib/identity/passkeys/prove-with-passkey";
import {
  OwnPasskeyOptions,
  ownPasskeyOptions,
  RegisterOwnPasskey,
  registerOwnPasskey,
} from "@/lib/identity/passkeys/register-own-passkey";
import {
  type PasskeySignIn,
  passkeySignInOptions,
  signInWithPasskey,
} from "@/lib/identity/passkeys/sign-in-with-passkey";
import { dashboardUrl } from "@/lib/platform/env";
import { authenticateIncompleteSession as incomplete } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import type { ApiAnswer } from "@/lib/testing/call-api";
import type { DashboardUser } from "@/lib/testing/sign-in/sign-in-as";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** The WebAuthn request of a challenge at the dashboard's URL, as a browser passes it to the device. */
export function requestOf(challenge: string) {
  const { origin, hostname } = new URL(dashboardUrl());
  return { challenge, origin, rpID: hostname };
}

/** Adds a passkey as the page does: asks for the options, creates the passkey and sends it. */
export async function addPasskey(
  user: DashboardUser,
  device: Authenticator = createAuthenticator(),
  name = "Phone",
): Promise<{ device: Authenticator; answer: ApiAnswer }> {
  const options = await user.call(endpoint(OwnPasskeyOptions, ownPasskeyOptions, incomplete), {
    method: "POST",
  });
  if (options.status !== 200) return { device, answer: options };
  const passkey = device.register(requestOf(options.body.challenge));
  const add = endpoint(RegisterOwnPasskey, registerOwnPasskey, incomplete);
  const answer = await user.call(add, { method: "POST", body: { name, passkey } });
  return { device, answer };
}

/** Confirms the user's identity with a passkey, as the page does. */
export async function confirmWith(user: DashboardUser, device: Authenticator): Promise<ApiAnswer> {
  const options = await user.call(endpoint(PasskeyProofOptions, passkeyProofOptions, incomplete), {
    method: "POST",
  });
  if (options.status !== 200) return options;
  const assertion = device.sign(requestOf(options.body.challenge));
  const prove = endpoint(ProveWithPasskey, proveWithPasskey, incomplete);
  return user.call(prove, { method: "POST", body: { assertion } });
}

/** A challenge of the sign-in page. */
export async function signInChallenge(): Promise<string> {
  return (await passkeySignInOptions()).challenge;
}

/** Signs in with a passkey, as the sign-in page does. */
export async function signInWith(device: Authenticator): Promise<PasskeySignIn> {
  return signInWithPasskey(device.sign(requestOf(await signInChallenge())));
}
