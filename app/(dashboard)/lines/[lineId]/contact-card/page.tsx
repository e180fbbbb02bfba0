import { LineCard } from "@/components/lines/line-card";
import { LineFrame } from "@/components/lines/line-frame";
import { lineTitle, readLinePage } from "@/lib/runtime/dashboard/read-line-page";

export const generateMetadata = lineTitle("Contact card");

export default async function LineCardPage({ params }: { params: Promise<{ lineId: string }> }) {
  const { lineId } = await params;
  const { shown } = await readLinePage(lineId);
  return (
    <LineFrame key={lineId} {...shown} current="contact-card">
      <LineCard initial={shown.initial} mayManage={shown.mayManage} />
    </LineFrame>
  );
}
