import { expect } from "@playwright/test";
import { sendRequest } from "./partner-program";

/** The code on a customer's phone for this purpose. */
export async function readPhoneCode(handle: string, purpose: "let" | "create a passkey"): Promise<string> {
  let code: string | undefined;
  await expect(async () => {
    const { body } = await sendRequest("GET /simulator/phones");
    const phone = body.phones.find((candidate: { handle: string }) => candidate.handle === handle);
    code = new RegExp(`"(\\d{6}) is your code to ${purpose} `).exec(JSON.stringify(phone))?.[1];
    expect(code).toBeDefined();
  }).toPass();
  return code ?? "";
}

/** Connects a customer with the code from the customer's phone. */
export async function connect(handle: string): Promise<void> {
  const { body } = await sendRequest(`POST /v3/payments/handles/${handle}/connect`);
  const code = await readPhoneCode(handle, "let");
  const verified = await sendRequest(`POST /v3/payments/handles/${handle}/verify`, {
    code,
    connect_id: body.connect_id,
  });
  expect(verified.body.status).toBe("connected");
}

/** Creates an agent payment for a dinner, or returns the status of the existing one. */
export const createAgentPayment = async (handle: string) =>
  (
    await sendRequest("POST /v3/payments", {
      amount_cents: 4200,
      currency: "usd",
      handle,
      description: "Dinner for two",
      merchant: { name: "Harbor Kitchen", url: "https://harbor.example" },
    })
  ).body;
