import type { CardContent } from "@/lib/payments/experiences/card-content";

type Sample = Pick<CardContent, "title" | "subtitle" | "aside">;

// Sample payment details, used where the form has no value.
const SAMPLES: Readonly<Record<string, Sample>> = {
  request_payment: { title: "Dinner for two", subtitle: null, aside: "$42.00" },
  attach_card: { title: "Add a card", subtitle: "Dinner for two", aside: "$42.00" },
  approve_card: { title: "Approve a payment", subtitle: "Dinner for two", aside: "$42.00" },
};

const SAMPLE_URL = "https://your-site.example/";

/** The card that an action creates with these params. Payment details are sample data. */
export function sampleCardContent(
  action: string,
  params: Readonly<Record<string, string | number>>,
): CardContent {
  const text = (name: string) => (params[name] === undefined ? null : String(params[name]));
  const url = text("url") ?? text("checkout_url") ?? SAMPLE_URL;
  const sample = SAMPLES[action] ?? { title: new URL(url).hostname, subtitle: null, aside: null };
  return {
    url,
    title: text("title") ?? sample.title,
    subtitle: text("subtitle") ?? text("note") ?? sample.subtitle,
    aside: sample.aside,
    subject: null,
  };
}
