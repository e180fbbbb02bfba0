import { ContactCardEditor } from "@/components/contact-cards/contact-card-editor";
import { lineTitle, readLinePage } from "@/lib/runtime/dashboard/read-line-page";

export const generateMetadata = lineTitle("Contact card");

export default async function ContactCardPage({ params }: { params: Promise<{ lineId: string }> }) {
  const { lineId } = await params;
  const { initial, mayManage } = (await readLinePage(lineId)).shown;
  return <ContactCardEditor key={lineId} initial={initial} mayManage={mayManage} />;
}
