import "server-only";
import { getAccountOptions } from "@/lib/identity/accounts/get-account-options";
import type { StoredAppClipPart } from "@/lib/messaging/messages/app-clip-part";
import { findCheckoutLink } from "@/lib/payments/requests/find-checkout-link";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors";
import { amountText } from "@/lib/platform/money";

/** An app clip as it is kept, and the payment request it is the checkout link of. */
export interface ComposedAppClip {
  part: StoredAppClipPart;
  request: PaymentRequestRow | null;
}

const IN_REVIEW =
  "the app clip of your checkout is in review: send a link part, which opens the web checkout";

/**
 * Composes an app clip's card from the account's own payment request, or from the registered clip whose prefix the URL
 * has (partner-api.md, app_clip; contract.md 0 and 2.7). Errors: app_clip_invalid.
 */
export async function composeAppClip(ctx: Context, value: string): Promise<ComposedAppClip> {
  const request = await findCheckoutLink(ctx.account.id, value);
  const { app_clips, checkout_clip } = await getAccountOptions(ctx.account.id);
  if (request !== null) {
    if (checkout_clip === "in_review") fail("app_clip_invalid", IN_REVIEW);
    return { part: { type: "app_clip", value, ...shownOf(request) }, request };
  }

  const href = URL.parse(value)?.href;
  // Of two prefixes the longer one is meant.
  const [clip] = app_clips
    .filter(({ url_prefix }) => href?.startsWith(url_prefix))
    .sort((left, right) => right.url_prefix.length - left.url_prefix.length);
  if (clip === undefined) {
    fail(
      "app_clip_invalid",
      "value must be one of your checkout links or start with the prefix of a registered app clip",
    );
  }
  return { part: { type: "app_clip", value, title: clip.name }, request: null };
}

function shownOf({ amount, currency, description, imageUrl }: PaymentRequestRow) {
  return {
    title: `Pay ${amountText(Number(amount), currency)}`,
    ...(description !== null && { description }),
    ...(imageUrl !== null && { image_url: imageUrl }),
  };
}
