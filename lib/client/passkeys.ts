import { ApiFailure, apiFetch, type Envelope, toFailure, UNREACHABLE } from "@/lib/client/api-fetch";

interface Descriptor {
  id: string;
  transports?: AuthenticatorTransport[];
}

/** The options of the server for a new passkey. Bytes are in base64url. */
interface CreationOptions {
  challenge: string;
  rp: PublicKeyCredentialRpEntity;
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: PublicKeyCredentialParameters[];
  timeout?: number;
  authenticatorSelection?: AuthenticatorSelectionCriteria;
  excludeCredentials?: Descriptor[];
}

/** The options of the server for a signature. Bytes are in base64url. */
interface RequestOptions {
  challenge: string;
  rpId?: string;
  timeout?: number;
  userVerification?: UserVerificationRequirement;
  allowCredentials?: Descriptor[];
}

/** Why the browser made no passkey or signature, as a sentence for the user. */
class PasskeyFailure extends Error {}

const UNSUPPORTED = "This browser does not support passkeys. Update it, or use another browser.";
const NOT_CONFIRMED = "The passkey was not confirmed. Unlock your device when prompted, then try again.";
const FAILURES: Readonly<Record<string, string>> = {
  NotAllowedError: NOT_CONFIRMED,
  InvalidStateError: "This device already has a passkey for your sign-in. Use it, or choose another device.",
  SecurityError: "Passkeys work only at the dashboard's own URL. Open the dashboard there, then try again.",
  NotSupportedError: UNSUPPORTED,
};

/** Whether the browser can use passkeys at all. */
function supportsPasskeys(): boolean {
  return typeof window !== "undefined" && "PublicKeyCredential" in window && "credentials" in navigator;
}

/** Creates a passkey on this device and returns it for the server. Throws PasskeyFailure or ApiFailure. */
export async function createPasskey(): Promise<unknown> {
  requireSupport();
  const options = await apiFetch<CreationOptions>("/api/session/passkeys/options", { method: "POST" });
  const { user, excludeCredentials = [] } = options;
  const credential = await explain(
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: bytesOf(options.challenge),
        user: { ...user, id: bytesOf(user.id) },
        excludeCredentials: excludeCredentials.map(toDescriptor),
      },
    }),
  );
  const response = credential.response as AuthenticatorAttestationResponse;
  return withResponse(credential, {
    clientDataJSON: textOf(response.clientDataJSON),
    attestationObject: textOf(response.attestationObject),
    transports: response.getTransports?.(),
  });
}

/** Confirms the identity of the session with one of the user's passkeys. Throws PasskeyFailure or ApiFailure. */
export async function confirmWithPasskey(): Promise<void> {
  requireSupport();
  const options = await apiFetch<RequestOptions>("/api/session/proof/passkey/options", { method: "POST" });
  const assertion = await sign(options);
  await apiFetch("/api/session/proof/passkey", { method: "POST", body: { assertion } });
}

/**
 * Asks for a passkey of this site and returns its signature for the sign-in, as JSON. With `isConditional`, the browser
 * offers passkeys in the list of the email field, without a dialog, until `signal` aborts. Throws PasskeyFailure or
 * ApiFailure.
 */
export async function signInAssertion(
  options: { isConditional?: boolean; signal?: AbortSignal } = {},
): Promise<string> {
  requireSupport();
  const response = await fetch("/api/passkey-sign-in", { signal: options.signal }).catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw new ApiFailure(0, UNREACHABLE);
  });
  if (!response.ok) {
    const envelope: Envelope = await response.json().catch(() => ({}));
    throw toFailure(response.status, envelope);
  }
  return JSON.stringify(await sign(await response.json(), options));
}

/** Whether the browser can offer passkeys in the list of the email field. */
export async function supportsAutofill(): Promise<boolean> {
  if (!supportsPasskeys()) return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

async function sign(
  options: RequestOptions,
  { isConditional = false, signal }: { isConditional?: boolean; signal?: AbortSignal } = {},
): Promise<unknown> {
  const { allowCredentials = [] } = options;
  const credential = await explain(
    navigator.credentials.get({
      ...(isConditional && { mediation: "conditional" }),
      ...(signal !== undefined && { signal }),
      publicKey: {
        ...options,
        challenge: bytesOf(options.challenge),
        allowCredentials: allowCredentials.map(toDescriptor),
      },
    }),
  );
  const response = credential.response as AuthenticatorAssertionResponse;
  return withResponse(credential, {
    clientDataJSON: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
    ...(response.userHandle !== null && { userHandle: textOf(response.userHandle) }),
  });
}

function requireSupport(): void {
  if (!supportsPasskeys()) throw new PasskeyFailure(UNSUPPORTED);
}

async function explain(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await asked.catch((error: unknown) => {
    const name = error instanceof Error ? error.name : "";
    if (name === "AbortError") throw error;
    throw new PasskeyFailure(FAILURES[name] ?? NOT_CONFIRMED);
  });
  if (credential === null) throw new PasskeyFailure(NOT_CONFIRMED);
  return credential as PublicKeyCredential;
}

function withResponse({ id, rawId, type }: PublicKeyCredential, response: object): unknown {
  return { id, rawId: textOf(rawId), type, response };
}

function toDescriptor({ id, transports = [] }: Descriptor): PublicKeyCredentialDescriptor {
  return { id: bytesOf(id), type: "public-key", ...(transports.length > 0 && { transports }) };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}

function textOf(buffer: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
