import { ConsumerScreen } from "@/components/webhooks/consumers/consumer-screen";
import { baseUrl } from "@/lib/platform/env";
import { readConsumerPage } from "@/lib/runtime/dashboard/read-consumer-page";

type ConsumerPageProps = { params: Promise<{ name: string }> };

export async function generateMetadata({ params }: ConsumerPageProps) {
  return { title: (await readConsumerPage((await params).name)).consumer.name };
}

export default async function ConsumerPage({ params }: ConsumerPageProps) {
  const { consumer, mayManage } = await readConsumerPage((await params).name);
  return <ConsumerScreen key={consumer.name} initial={consumer} mayManage={mayManage} baseUrl={baseUrl()} />;
}
