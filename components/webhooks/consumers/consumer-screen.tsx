"use client";

import { useQuery } from "@tanstack/react-query";
import { CodeTabs } from "@/components/data/copy/code-tabs";
import { ErrorNote } from "@/components/data/error-note";
import { Fact, FactList } from "@/components/data/fact-list";
import { None } from "@/components/data/none";
import { Timestamp } from "@/components/data/time/timestamp";
import { DetailsPage } from "@/components/details/details-page";
import { consumerSnippets } from "@/components/snippets/consumer-snippets";
import { ConsumerState } from "@/components/webhooks/consumers/consumer-state";
import { consumerPath } from "@/components/webhooks/consumers/consumers-key";
import { DeleteConsumer } from "@/components/webhooks/consumers/delete-consumer";
import { lagWords } from "@/components/webhooks/consumers/lag-text";
import { SeekConsumerButton } from "@/components/webhooks/consumers/seek-consumer-button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { Consumer } from "@/lib/webhooks/consumers/consumer";

const EXPIRED = 2032;
const LOOK_MS = 15_000;

type ConsumerScreenProps = { initial: Consumer; mayManage: boolean; baseUrl: string };

/** A consumer with its position, the events that wait for it, and the actions that move and delete it. */
export function ConsumerScreen({ initial, mayManage, baseUrl }: ConsumerScreenProps) {
  const {
    data: consumer,
    error,
    refetch,
  } = useQuery<Consumer, ApiFailure>({
    queryKey: [consumerPath(initial.name)],
    queryFn: ({ signal }) => apiFetch(consumerPath(initial.name), { signal }),
    initialData: initial,
    refetchInterval: LOOK_MS,
  });
  return (
    <DetailsPage
      title={consumer.name}
      breadcrumbs={[
        { label: "Webhooks", href: "/webhooks" },
        { label: "Consumers", href: "/webhooks/consumers" },
      ]}
      status={<ConsumerState consumer={consumer} />}
      description={
        mayManage
          ? "A named position in the event log. Its program polls events and acknowledges them."
          : "Your role can view webhooks. Ask an admin or a developer to move or delete this consumer."
      }
      actions={
        mayManage && (
          <div className="flex max-w-[calc(100vw-2rem)] flex-wrap gap-2">
            <SeekConsumerButton consumer={consumer} />
            <DeleteConsumer name={consumer.name} />
          </div>
        )
      }
      failure={error}
      onRetry={() => void refetch()}
      notice={
        consumer.has_expired_events && (
          <ErrorNote title="The log no longer has all events after the position" code={EXPIRED}>
            Polls fail until the consumer is moved. Read what was missed from the chats and messages, then
            seek to the oldest event.
          </ErrorNote>
        )
      }
    >
      <ConsumerDetails consumer={consumer} />
      <section aria-label="Code" className="flex min-w-0 flex-col gap-2">
        <h2 className="font-medium text-sm">Poll from your program</h2>
        <CodeTabs
          label="poll and acknowledge"
          snippets={consumerSnippets({ baseUrl, name: consumer.name })}
        />
      </section>
    </DetailsPage>
  );
}

function ConsumerDetails({ consumer }: { consumer: Consumer }) {
  const { types, phone_numbers: lines, version, start, position, lag } = consumer;
  const { text, title } = lagWords(lag);
  return (
    <FactList>
      <Fact name="Waiting">
        <span className="tabular-nums" title={title}>
          {text}
        </span>
        {lag.oldest_at !== null && (
          <span className="text-muted-foreground">
            oldest <Timestamp value={lag.oldest_at} />
          </span>
        )}
      </Fact>
      <Fact name="Position">
        <span className="tabular-nums">{position}</span>
      </Fact>
      <Fact name="Last poll">
        <Moment value={consumer.last_polled_at} />
      </Fact>
      <Fact name="Lease until">
        <Moment value={consumer.leased_until} format="moment" />
      </Fact>
      <Fact name="Events">
        <span className="wrap-anywhere">{types.length === 0 ? "All events" : types.join(", ")}</span>
      </Fact>
      <Fact name="Lines">
        <span className="tabular-nums">{lines === null ? "All lines" : lines.join(", ")}</span>
      </Fact>
      <Fact name="Version">
        <span className="tabular-nums">{version}</span>
      </Fact>
      <Fact name="Created">
        <Timestamp value={consumer.created_at} />
        <span className="text-muted-foreground">to start at {start}</span>
      </Fact>
    </FactList>
  );
}

function Moment({ value, format }: { value: string | null; format?: "moment" }) {
  return value === null ? <None /> : <Timestamp value={value} {...(format && { format })} />;
}
