import { LineFrame } from "@/components/lines/line-frame";
import { LineTransportPage } from "@/components/lines/transport/line-transport-page";
import { getLineTransport } from "@/lib/lines/transports/get-line-transport";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { lineTitle, readLinePage } from "@/lib/runtime/dashboard/read-line-page";

export const generateMetadata = lineTitle("Transport");

export default async function TransportPage({ params }: { params: Promise<{ lineId: string }> }) {
  const { lineId } = await params;
  const { ctx } = await requireAccount("connect_lines");
  const { shown } = await readLinePage(lineId);
  const transport = await getLineTransport(ctx, { params: { lineId } });
  return (
    <LineFrame key={lineId} {...shown} current="transport">
      <LineTransportPage lineId={lineId} initial={transport} />
    </LineFrame>
  );
}
