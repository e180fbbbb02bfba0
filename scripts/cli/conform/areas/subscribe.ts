import { randomBytes } from "node:crypto";
import { isSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { describeResponse } from "@/scripts/cli/conform/examine-response";
import type { Subscription } from "@/scripts/cli/conform/examine-webhook";
import type { Run } from "@/scripts/cli/conform/run";
import { idAt, textAt } from "@/scripts/cli/conform/value-at";

/** The versions of webhooks. */
export const VERSIONS = ["2026-02-03", "2025-01-01"];

const isHttp = (url: string) => /^http:/i.test(url);

/** Subscriptions that a server must refuse. */
export async function checkRefusals(run: Run): Promise<void> {
  const url = `https://conform.invalid/${run.world.unknownId}`;
  const types = ["message.received"];
  const cases = [
    ["a target that is not https", { target_url: "ftp://conform.invalid", subscribed_events: types }],
    ["an unknown event type", { target_url: url, subscribed_events: ["message.no_such_event"] }],
    ["no event type", { target_url: url, subscribed_events: [] }],
  ] as const;
  for (const [name, body] of cases) {
    await run.check({ area: "webhooks", name, section: "12.2" }, "POST /v3/webhook-subscriptions", {
      body,
      expect: { status: 400, codes: [1005] },
    });
  }
}

interface Wanted {
  /** Where the receiver is reached. */
  url: string;
  version: string;
  types: readonly string[];
  /** The name of the check. Without further checks of the subscription. */
  name?: string;
}

/** Subscribes to events of one version; null if the server returns no subscription. */
export async function subscribe(
  run: Run,
  { url, version, types, name }: Wanted,
): Promise<Subscription | null> {
  const path = `conform-${randomBytes(9).toString("base64url")}`;
  const target = `${url.replace(/\/+$/, "")}/${path}?version=${version}`;
  const body = { target_url: target, subscribed_events: types };
  const subject = {
    area: "webhooks",
    section: "12.1",
    name: name ?? `a subscription of ${version}`,
  } as const;
  const expect = { status: 201, ...(isHttp(url) && { toleratedInOwn: [1005] }) };
  const { response, check } = await run.check(subject, "POST /v3/webhook-subscriptions", { body, expect });
  if (isHttp(url) && check.outcome === "skipped" && response.status === 400) {
    const reason = "the account takes no http target: use --public-url with https";
    run.checks.skip("webhooks", `deliveries of ${version}`, reason);
  }
  const [id, secret] = [idAt(response.json, "id"), textAt(response.json, "signing_secret")];
  if (response.status !== 201 || id === undefined || secret === undefined) return null;
  if (name !== undefined) return { id, secret, version, path };
  const request = response.request;
  run.add(
    {
      ...subject,
      section: "12.7",
      name: `the secret of ${version}`,
      expected: "whsec_ and padded base64",
      request,
    },
    { problems: isSigningSecret(secret) ? [] : ["is not whsec_ and padded base64 of 24 to 64 bytes"] },
  );
  const again = await run.call("POST /v3/webhook-subscriptions", { body });
  const read = await run.call("GET /v3/webhook-subscriptions/{subscriptionId}", {
    path: { subscriptionId: id },
  });
  run.add(
    {
      ...subject,
      name: `a second subscription of ${version}`,
      expected: "409/2015 for the same URL",
      request,
    },
    { problems: describeResponse(again).startsWith("409/2015") ? [] : [describeResponse(again)] },
  );
  const isRead = read.status === 200 && textAt(read.json, "id") === id;
  const shows = textAt(read.json, "signing_secret") !== undefined;
  run.add(
    {
      ...subject,
      section: "12.7",
      name: `the secret of ${version} read again`,
      expected: "no signing_secret",
      request,
    },
    {
      problems: [
        ...(isRead ? [] : [`GET answered ${describeResponse(read)}`]),
        ...(shows ? ["GET shows signing_secret"] : []),
      ],
    },
  );
  return { id, secret, version, path };
}
