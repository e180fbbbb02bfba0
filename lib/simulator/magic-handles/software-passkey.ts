import "server-only";
import { createHash, createSign, type KeyObject } from "node:crypto";

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** The parts of a WebAuthn request that a device answers. */
interface PasskeyRequest {
  challenge: string;
  origin: string;
  rpID: string;
}

/** A passkey on a simulated device: a key pair on P-256 and the ID of its credential. */
export interface SoftwarePasskey {
  id: Buffer;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** Deviations of a device from a phone without a counter that verifies its user. */
interface DeviceOptions {
  /** False for a device that does not verify its user. */
  verifiesUser?: boolean;
  transports?: string[];
  /** The counter of signatures. 0 for a device without one. */
  counter?: number;
  /** The key of a `packed` attestation; none by default. */
  attestationKey?: KeyObject;
}

/** The device's response to a registration request. */
export function registerWith(
  { id, publicKey }: SoftwarePasskey,
  { challenge, origin, rpID }: PasskeyRequest,
  { transports, attestationKey, ...device }: DeviceOptions = {},
) {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(x, y)]);
  const data = authenticatorData(rpID, device, credential);
  return {
    ...named(id),
    response: {
      clientDataJSON: clientData("webauthn.create", challenge, origin).toString("base64url"),
      attestationObject: attestation(data, attestationKey).toString("base64url"),
      ...(transports !== undefined && { transports }),
    },
  };
}

/** The device's response to an authentication request. */
export function signWith(
  { id, privateKey }: SoftwarePasskey,
  { challenge, origin, rpID }: PasskeyRequest,
  device: DeviceOptions = {},
) {
  const data = authenticatorData(rpID, device);
  const client = clientData("webauthn.get", challenge, origin);
  const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
  return {
    ...named(id),
    response: {
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: createSign("sha256").update(signed).sign(privateKey).toString("base64url"),
    },
  };
}

const named = (id: Buffer) => ({
  id: id.toString("base64url"),
  rawId: id.toString("base64url"),
  type: "public-key" as const,
  clientExtensionResults: {},
});

function authenticatorData(
  rpID: string,
  { verifiesUser = true, counter = 0 }: DeviceOptions,
  credential = Buffer.alloc(0),
): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const flags =
    USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0) | (credential.length > 0 ? HAS_CREDENTIAL : 0);
  return Buffer.concat([createHash("sha256").update(rpID).digest(), Buffer.from([flags]), count, credential]);
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

// Hand-written CBOR: { fmt: "none", attStmt: {}, authData: bytes }, or { fmt: "packed", attStmt: { alg: -7, sig: bytes }, … }.
function attestation(data: Buffer, key: KeyObject | undefined): Buffer {
  const parts = [
    Buffer.from([0xa3]),
    cborText("fmt"),
    cborText(key === undefined ? "none" : "packed"),
    cborText("attStmt"),
  ];
  if (key === undefined) {
    parts.push(Buffer.from([0xa0]));
  } else {
    const signature = createSign("sha256").update(data).sign(key);
    parts.push(
      Buffer.from([0xa2]),
      cborText("alg"),
      Buffer.from([0x26]),
      cborText("sig"),
      cborBytes(signature),
    );
  }
  return Buffer.concat([...parts, cborText("authData"), cborBytes(data)]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
}
