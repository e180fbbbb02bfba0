import { newId, seconds } from "@/lib/testing/stripe/fake-stripe-call";
import type { FakeIntent, FakeStripeState, FakeSubscription } from "@/lib/testing/stripe/fake-stripe-state";

type Card = "succeeds" | "declined" | "processing" | "needs_step";

/**
 * Confirms the payment of a client secret with a card, like Stripe's field in a payer's browser. Rejects with the
 * message that a declined payer sees, or if the payment can no longer be paid.
 */
export async function confirmAtStripe(
  books: FakeStripeState,
  clientSecret: string,
  card: Card,
): Promise<void> {
  const setupKey = [...books.setups.keys()].find(
    (key) => books.setups.get(key)?.client_secret === clientSecret,
  );
  if (setupKey !== undefined) return collect(books, setupKey, card);
  const key = [...books.intents.keys()].find(
    (each) => books.intents.get(each)?.client_secret === clientSecret,
  );
  const intent = books.intents.get(key ?? "");
  const account = (key ?? "").split("/", 1)[0] ?? "";
  const subscription = [...books.subscriptions.values()].find(
    ({ latest_invoice }) => latest_invoice.confirmation_secret?.client_secret === clientSecret,
  );
  if (intent === undefined || !isPayable(intent, subscription))
    throw new Error("This payment can no longer be made.");
  if (card === "declined") return decline(books, account, { intent, subscription });
  if (card === "needs_step") await challenge(books, account, { intent, subscription });
  else if (card === "processing") intent.status = "processing";
  else await pay(books, account, intent, subscription);
}

/** Completes delayed payments and confirms a second step. */
export async function settleAtStripe(books: FakeStripeState, paymentIntentId: string): Promise<void> {
  const entry = [...books.intents].find(([, { id }]) => id === paymentIntentId);
  if (entry === undefined) throw new Error(`there is no ${paymentIntentId}`);
  await pay(books, entry[0].split("/", 1)[0] ?? "", entry[1], undefined);
}

interface Tried {
  intent: FakeIntent;
  subscription: FakeSubscription | undefined;
}

async function decline(
  books: FakeStripeState,
  account: string,
  { intent, subscription }: Tried,
): Promise<never> {
  const message = "Your card was declined.";
  intent.last_payment_error = {
    type: "card_error",
    code: "card_declined",
    decline_code: "insufficient_funds",
    message,
  };
  await books.tell(account, "payment_intent.payment_failed", intent);
  if (subscription !== undefined)
    await books.tell(account, "invoice.payment_failed", subscription.latest_invoice);
  throw new Error(message);
}

async function challenge(
  books: FakeStripeState,
  account: string,
  { intent, subscription }: Tried,
): Promise<void> {
  intent.status = "requires_action";
  await books.tell(account, "payment_intent.requires_action", intent);
  if (subscription !== undefined)
    await books.tell(account, "invoice.payment_action_required", subscription.latest_invoice);
}

function isPayable(intent: FakeIntent, subscription: FakeSubscription | undefined): boolean {
  if (subscription !== undefined && subscription.latest_invoice.status !== "open") return false;
  return intent.status === "requires_payment_method" || intent.status === "requires_action";
}

async function pay(
  books: FakeStripeState,
  account: string,
  intent: FakeIntent,
  subscription: FakeSubscription | undefined,
): Promise<void> {
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  intent.latest_charge = { id: newId("ch"), object: "charge", created: seconds() };
  if (subscription !== undefined) {
    const invoice = subscription.latest_invoice;
    invoice.status = "paid";
    invoice.amount_paid = invoice.amount_due;
    invoice.status_transitions.paid_at = seconds();
    subscription.status = "active";
    await books.tell(account, "invoice.paid", invoice);
  }
  await books.tell(account, "payment_intent.succeeded", intent);
}

async function collect(books: FakeStripeState, key: string, card: Card): Promise<void> {
  const setup = books.setups.get(key);
  if (setup?.status !== "requires_payment_method") throw new Error("This payment can no longer be made.");
  if (card === "declined") throw new Error("Your card was declined.");
  setup.status = "succeeded";
  const subscription = [...books.subscriptions.values()].find((each) => each.pending_setup_intent === setup);
  if (subscription === undefined) return;
  subscription.pending_setup_intent = null;
  subscription.default_payment_method = newId("pm");
  await books.tell(key.split("/", 1)[0] ?? "", "customer.subscription.updated", subscription);
}
