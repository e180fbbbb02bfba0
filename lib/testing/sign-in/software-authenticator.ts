import { generateKeyPairSync, randomBytes } from "node:crypto";
import { registerWith, type SoftwarePasskey, signWith } from "@/lib/simulator/magic-handles/software-passkey";

interface AuthenticatorRequest {
  challenge: string;
  origin: string;
  rpID: string;
}

interface RegisterOptions {
  verifiesUser?: boolean;
  transports?: string[];
  forgesAttestation?: boolean;
}

/**
 * A passkey in software, with a phone's responses to the two WebAuthn requests. Options simulate an attacker's
 * responses.
 */
export function createAuthenticator() {
  return authenticatorOf({ ...generateKeyPairSync("ec", { namedCurve: "P-256" }), id: randomBytes(16) }, 0);
}

function authenticatorOf(passkey: SoftwarePasskey, used: number) {
  let counter = used;

  return {
    /** An attacker's copy of the device, with the same key and the same counter. */
    copy: () => authenticatorOf(passkey, counter),

    /** The response to a registration request. A forged attestation has a signature by another key. */
    register(request: AuthenticatorRequest, { forgesAttestation = false, ...device }: RegisterOptions = {}) {
      const forged = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
      return registerWith(passkey, request, {
        ...device,
        counter: ++counter,
        ...(forgesAttestation && { attestationKey: forged }),
      });
    },

    /** The response to an authentication request. */
    sign(request: AuthenticatorRequest, { verifiesUser = true } = {}) {
      return signWith(passkey, request, { verifiesUser, counter: ++counter });
    },
  };
}
