import Link from "next/link";
import { CodeTabs } from "@/components/data/code-tabs";
import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideList, GuideSection, guideLink } from "@/components/docs/guide-parts";
import { subscribeSnippets, webhookServerSnippets } from "@/components/snippets/webhook-snippets";
import { baseUrl } from "@/lib/platform/env";

export const metadata = { title: "Webhooks" };
// The commands contain this instance's URL, which is only known at run time.
export const dynamic = "force-dynamic";

export default function WebhooksGuide() {
  const place = { baseUrl: baseUrl(), line: null, phone: null };
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Webhooks"
        description="Receive inbound messages and the status of outbound messages on your server. Respond quickly, verify signatures and deduplicate events."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <GuideSection id="subscribe" title="Subscribe">
        <p>
          <Link href="/docs/guides/webhooks/events" className={guideLink}>
            Every event
          </Link>{" "}
          has a page with an example of its payload. A target URL must use https, contain no credentials and
          resolve to a public IP address. An account can subscribe each URL once. Store the{" "}
          <GuideCode>signing_secret</GuideCode>. It appears only in this response.
        </p>
        <CodeTabs label="subscribe to the events of messages" snippets={subscribeSnippets(place)} />
      </GuideSection>
      <GuideSection id="verify" title="Verify">
        <p>
          Each request is signed according to the Standard Webhooks specification, in the headers{" "}
          <GuideCode>webhook-id</GuideCode>, <GuideCode>webhook-timestamp</GuideCode> and{" "}
          <GuideCode>webhook-signature</GuideCode>. Verify the signature against the raw bytes of the body,
          and reject timestamps that differ from the current time by more than five minutes. During a secret
          rotation the header contains two signatures. Accept the request if either one is valid.
        </p>
        <CodeTabs label="receive events" snippets={webhookServerSnippets()} />
      </GuideSection>
      <Rules />
      <Versions />
      <Routing />
      <Failing />
    </article>
  );
}

function Rules() {
  return (
    <GuideSection id="rules" title="Delivery guarantees">
      <GuideList
        rows={[
          [
            "Respond within 10 seconds",
            "Return any 2xx status. Store the event first and process it afterwards.",
          ],
          [
            "Events can be delivered more than once",
            <>
              Delivery is at least once. The <GuideCode>event_id</GuideCode>, also sent as{" "}
              <GuideCode>webhook-id</GuideCode>, is the same for every attempt. Store it with a unique
              constraint to detect duplicates.
            </>,
          ],
          [
            "Events can arrive out of order",
            <>
              <GuideCode>sequence</GuideCode> numbers the deliveries of each chat to this subscription: 1, 2,
              3, and so on. A missing number belongs to a delivery that is pending, failed or was skipped
              while the subscription was paused.
            </>,
          ],
          [
            "Retries",
            <>
              Trunkline retries after 5xx and 429 responses, timeouts and connection errors: by default up to
              10 times over about 25 minutes. The operator can configure a different schedule. Trunkline
              honors <GuideCode>Retry-After</GuideCode> within this period. Any other response, including a
              redirect, is final.
            </>,
          ],
          [
            "410 Gone",
            "Trunkline stops retrying the delivery. A second 410, at least one hour after the first, disables the subscription.",
          ],
        ]}
      />
    </GuideSection>
  );
}

function Versions() {
  return (
    <GuideSection id="payloads" title="Payload version and file URLs">
      <p>
        Add <GuideCode>?version=2025-01-01</GuideCode> or <GuideCode>?version=2026-02-03</GuideCode> to the
        target URL to choose a payload version. Without it, a new subscription gets the account&apos;s default
        version, which an admin sets under{" "}
        <Link href="/settings" className={guideLink}>
          Settings
        </Link>
        .
      </p>
      <p>
        On the persistent attachment tier, payloads contain permanent file URLs. Store them: they work until
        the file is deleted. On the ephemeral tier, the URLs are signed and valid for 15 minutes from the
        attempt. See{" "}
        <Link href="/docs/guides/attachments" className={guideLink}>
          Attachments and retention
        </Link>
        .
      </p>
    </GuideSection>
  );
}

function Routing() {
  return (
    <GuideSection id="routing" title="Routing headers">
      <p>
        Servers behind a load balancer can keep all deliveries of a chat on one server. Set the header names
        on the subscription with the API or with <strong className="font-medium">Edit</strong> on the
        endpoint&apos;s page.
      </p>
      <GuideList
        rows={[
          [
            "routing_key_header",
            "Turns routing on. Your server returns a token in this header with a 2xx response. Later deliveries of the same chat carry the last token in this header, so your load balancer can route by it.",
          ],
          [
            "routing_id_header",
            <>
              Carries the chat&apos;s ID, from the first delivery on. The default is{" "}
              <GuideCode>Linq-Chat-Id</GuideCode>.
            </>,
          ],
        ]}
      />
      <p>
        Events without a chat carry neither header. Changing or clearing{" "}
        <GuideCode>routing_key_header</GuideCode> discards all stored tokens.
      </p>
    </GuideSection>
  );
}

function Failing() {
  return (
    <GuideSection id="failing" title="When an endpoint fails">
      <p>
        The dashboard shows a notice when 50%, 90% and 100% of a day's attempts fail. Trunkline disables the
        subscription after five days of failures and sends{" "}
        <Link href="/docs/guides/webhooks/events/webhook_subscription.disabled" className={guideLink}>
          webhook_subscription.disabled
        </Link>{" "}
        to your other subscriptions. Enable the subscription in the dashboard, or with{" "}
        <GuideCode>PUT</GuideCode> and <GuideCode>is_active: true</GuideCode>.
      </p>
      <p>
        You can replay missed deliveries in the dashboard, individually or with a filter, at a rate you
        choose. Replayed requests have the header <GuideCode>X-Webhook-Replay: true</GuideCode> and the
        original event IDs.
      </p>
    </GuideSection>
  );
}
