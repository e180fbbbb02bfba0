import type { IncomingMessage } from "node:http";
import { completeSetup } from "@/lib/testing/stripe/fake-stripe-issuing";
import { confirmAtStripe } from "@/lib/testing/stripe/fake-stripe-payer";
import { FAKE_CHALLENGE, FAKE_STRIPE_SCRIPT } from "@/lib/testing/stripe/fake-stripe-script";
import type { FakeStripeState } from "@/lib/testing/stripe/fake-stripe-state";
import { disputeAtStripe, refundAtStripe } from "@/lib/testing/stripe/reverse-at-stripe";

interface Visit {
  request: Pick<IncomingMessage, "method" | "url">;
  form: URLSearchParams;
}

interface Page {
  status: number;
  headers: Record<string, string>;
  body: string;
}

type Answer = (
  books: FakeStripeState,
  at: { path: string; query: URLSearchParams; form: URLSearchParams },
) => Page | Promise<Page>;

const CARDS = ["succeeds", "declined", "needs_step", "processing"] as const;

/**
 * The parts of Stripe that people see: the page that connects or sets up an account, the script, and the requests of
 * its payment field.
 */
const PAGES: Readonly<Record<string, Answer>> = {
  "GET /health": () => page("text/plain", "ok"),
  "GET /stripe.js": () => page("text/javascript", FAKE_STRIPE_SCRIPT),
  "GET /challenge": () => page("text/html", FAKE_CHALLENGE),
  "GET /oauth/authorize": () => page("text/html", formOf("Connect an account", "Connect")),
  "POST /oauth/authorize": ({ codes }, { query }) => {
    const back = new URL(query.get("redirect_uri") ?? "");
    back.searchParams.set("code", [...codes.keys()].at(-1) ?? "");
    back.searchParams.set("state", query.get("state") ?? "");
    return redirect(back.href);
  },
  "GET /setup": () => page("text/html", formOf("Set up cards", "Finish")),
  "POST /setup": async (books, { path }) => {
    const account = path.split("/").at(-1) ?? "";
    await completeSetup(books, account, "active");
    return redirect(books.issuing.links.get(account)?.return_url ?? "");
  },
  "POST /confirm": async (books, { form }) => {
    const body = JSON.stringify(await confirmPaymentField(books, form));
    return {
      status: 200,
      headers: { "access-control-allow-origin": "*", "content-type": "application/json" },
      body,
    };
  },
  // The merchant refunds a part of the newest payment, and the payer's bank disputes it.
  "POST /reversals": async (books) => {
    const newest = [...books.intents.values()].at(-1)?.id ?? "";
    await refundAtStripe(books, newest, { amount: 1000 });
    await disputeAtStripe(books, newest);
    return page("text/plain", newest);
  },
};

/** Responds to a browser; null if the request is an API call. */
export async function respondToBrowser(
  books: FakeStripeState,
  { request, form }: Visit,
): Promise<Page | null> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? "", "http://fake");
  const answer = PAGES[`${request.method} ${path.startsWith("/setup/") ? "/setup" : path}`];
  return answer === undefined ? null : answer(books, { path, query, form });
}

/** Stripe's responses to its payment field in a payer's browser. */
export async function confirmPaymentField(books: FakeStripeState, form: URLSearchParams): Promise<object> {
  const card = CARDS.find((each) => each === form.get("card"));
  if (
    card === undefined ||
    !books.accounts.has(form.get("account") ?? "") ||
    form.get("key") !== "pk_test_fake"
  ) {
    return { error: { message: "No such account." } };
  }
  try {
    await confirmAtStripe(books, form.get("client_secret") ?? "", card);
    return card === "needs_step" ? { next: "step" } : {};
  } catch (error) {
    return { error: { message: error instanceof Error ? error.message : "" } };
  }
}

function page(type: string, body: string): Page {
  return { status: 200, headers: { "content-type": `${type}; charset=utf-8` }, body };
}

function redirect(location: string): Page {
  return { status: 303, headers: { location }, body: "" };
}

function formOf(title: string, button: string): string {
  return `<!doctype html><title>${title}</title><h1>${title}</h1><form method="post"><button>${button}</button></form>`;
}
