import { LineFrame } from "@/components/lines/line-frame";
import { LineOverview } from "@/components/lines/line-overview";
import { lineTitle, readLinePage } from "@/lib/runtime/dashboard/read-line-page";

export const generateMetadata = lineTitle("Line");

export default async function LinePage({ params }: { params: Promise<{ lineId: string }> }) {
  const { lineId } = await params;
  const { shown } = await readLinePage(lineId);
  return (
    <LineFrame key={lineId} {...shown} current="overview">
      <LineOverview initial={shown.initial} mayManage={shown.mayManage} />
    </LineFrame>
  );
}
