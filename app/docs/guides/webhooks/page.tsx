import Link from "next/link";
import { CodeTabs } from "@/components/data/code-tabs";
import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideList, GuideSection, guideLink } from "@/components/docs/guide-parts";
import { receiveSnippets, subscribeSnippets } from "@/components/snippets/webhook-snippets";
import { baseUrl } from "@/lib/platform/env";

export const metadata = { title: "Webhooks" };
// The address in the commands is this instance's own.
export const dynamic = "force-dynamic";

export default function WebhooksGuide() {
  const place = { baseUrl: baseUrl(), line: null, phone: null };
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Webhooks"
        description="What happens to your messages, and what people write, is posted to your server. Answer fast, verify, deduplicate."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <GuideSection id="subscribe" title="Subscribe">
        <p>
          <Link href="/docs/guides/webhooks/events" className={guideLink}>
            Every event
          </Link>{" "}
          has a page with what is posted. Targets are https, without credentials, on a public address; an
          address may be subscribed once in an account. Keep the <GuideCode>signing_secret</GuideCode>: it is
          in this answer alone.
        </p>
        <CodeTabs label="subscribe to the events of messages" snippets={subscribeSnippets(place)} />
      </GuideSection>
      <GuideSection id="verify" title="Verify">
        <p>
          Each post is signed by the Standard Webhooks rules: <GuideCode>webhook-id</GuideCode>,{" "}
          <GuideCode>webhook-timestamp</GuideCode>, <GuideCode>webhook-signature</GuideCode>. Check it over
          the raw bytes of the body, and refuse timestamps more than five minutes off. While a secret is being
          replaced there are two signatures: either will do.
        </p>
        <CodeTabs label="receive events" snippets={receiveSnippets()} />
      </GuideSection>
      <Rules />
      <Failing />
    </article>
  );
}

function Rules() {
  return (
    <GuideSection id="rules" title="What to count on">
      <GuideList
        rows={[
          ["Answer within 10 seconds", "Any 2xx. Store the event first and work on it afterwards."],
          [
            "The same event may come twice",
            <>
              Delivery is at least once. Its <GuideCode>event_id</GuideCode>, which is{" "}
              <GuideCode>webhook-id</GuideCode> too, stays the same: keep it under a unique key.
            </>,
          ],
          [
            "Events may come in another order",
            <>
              <GuideCode>sequence</GuideCode> numbers this subscription's deliveries of a chat, 1, 2, 3 … A
              number that is missing is on its way, has failed, or was skipped while the subscription was
              paused.
            </>,
          ],
          [
            "Retries",
            <>
              5xx, 429, timeouts and broken connections are tried again up to 10 times over about 25 minutes,
              unless the operator of the instance has set another ladder; <GuideCode>Retry-After</GuideCode>{" "}
              is honoured within them. Any other answer is final, redirects too.
            </>,
          ],
          ["410", "Ends it. The second one, at least an hour after the first, disables the subscription."],
        ]}
      />
    </GuideSection>
  );
}

function Failing() {
  return (
    <GuideSection id="failing" title="When an endpoint fails">
      <p>
        A notice appears in the dashboard when half of a day's attempts fail, and again at 90 and 100 %. After
        five days of nothing but failures the subscription is disabled, and{" "}
        <Link href="/docs/guides/webhooks/events/webhook_subscription.disabled" className={guideLink}>
          webhook_subscription.disabled
        </Link>{" "}
        goes to your others. Enable it by <GuideCode>PUT</GuideCode> with{" "}
        <GuideCode>is_active: true</GuideCode> or in the dashboard.
      </p>
      <p>
        What was missed is not lost: the dashboard replays single deliveries, or all that a filter takes, at
        the speed you choose. A replay carries <GuideCode>X-Webhook-Replay: true</GuideCode> and the same
        event ids.
      </p>
    </GuideSection>
  );
}
