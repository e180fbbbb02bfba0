import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

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
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let counter = 0;

  const authenticatorData = (rpID: string, flags: number, credential = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([
      createHash("sha256").update(rpID).digest(),
      Buffer.from([flags]),
      count,
      credential,
    ]);
  };
  const flagsFor = (verifiesUser: boolean) => USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0);
  const named = {
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key" as const,
    clientExtensionResults: {},
  };

  return {
    /** The response to a registration request. A forged attestation has a signature by another key. */
    register(
      { challenge, origin, rpID }: AuthenticatorRequest,
      { verifiesUser = true, transports, forgesAttestation = false }: RegisterOptions = {},
    ) {
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(x, y)]);
      const data = authenticatorData(rpID, flagsFor(verifiesUser) | HAS_CREDENTIAL, credential);
      return {
        ...named,
        response: {
          clientDataJSON: clientData("webauthn.create", challenge, origin).toString("base64url"),
          attestationObject: attestation(data, forgesAttestation).toString("base64url"),
          ...(transports !== undefined && { transports }),
        },
      };
    },

    /** The response to an authentication request. */
    sign({ challenge, origin, rpID }: AuthenticatorRequest, { verifiesUser = true } = {}) {
      const data = authenticatorData(rpID, flagsFor(verifiesUser));
      const client = clientData("webauthn.get", challenge, origin);
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
      return {
        ...named,
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: createSign("sha256").update(signed).sign(privateKey).toString("base64url"),
        },
      };
    },
  };
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

// Hand-written CBOR: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }, an EC key on P-256 for ES256.
function coseKey(x: string, y: string): Buffer {
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, "base64url"),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, "base64url"),
  ]);
}

// Hand-written CBOR: { fmt: "none", attStmt: {}, authData: bytes }, or { fmt: "packed", attStmt: { alg: -7, sig: bytes }, … }
// with a signature that the new key did not make.
function attestation(data: Buffer, isForged: boolean): Buffer {
  const parts = [
    Buffer.from([0xa3]),
    cborText("fmt"),
    cborText(isForged ? "packed" : "none"),
    cborText("attStmt"),
  ];
  if (isForged) {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const signature = createSign("sha256").update(data).sign(privateKey);
    parts.push(
      Buffer.from([0xa2]),
      cborText("alg"),
      Buffer.from([0x26]),
      cborText("sig"),
      cborBytes(signature),
    );
  } else {
    parts.push(Buffer.from([0xa0]));
  }
  return Buffer.concat([...parts, cborText("authData"), cborBytes(data)]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
}
