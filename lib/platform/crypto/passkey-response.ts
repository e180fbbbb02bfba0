import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

/** A new passkey as the browser returns it (WebAuthn's RegistrationResponseJSON). */
export const NewPasskey = z.object({
  id: z.string().check(maxUnits(1400)),
  rawId: z.string().check(maxUnits(1400)),
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: z.string().check(maxUnits(8192)),
    attestationObject: z.string().check(maxUnits(16_384)),
    transports: z
      .array(z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]))
      .max(8)
      .optional()
      .catch(undefined),
  }),
  clientExtensionResults: z.object({}).default({}),
});

export type NewPasskey = z.infer<typeof NewPasskey>;

/** A passkey's signature as the browser returns it (WebAuthn's AuthenticationResponseJSON). */
export const PasskeyAssertion = z.object({
  id: z.string().check(maxUnits(1400)),
  rawId: z.string().check(maxUnits(1400)),
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: z.string().check(maxUnits(8192)),
    authenticatorData: z.string().check(maxUnits(8192)),
    signature: z.string().check(maxUnits(8192)),
    userHandle: z.string().check(maxUnits(1400)).optional().catch(undefined),
  }),
  clientExtensionResults: z.object({}).default({}),
});

export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

const ClientData = z.object({ challenge: z.string() });

/** Returns the challenge that a passkey's response claims to have signed, or "" for none. */
export function challengeOf(clientDataJSON: string): string {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"))).challenge;
  } catch {
    return "";
  }
}
