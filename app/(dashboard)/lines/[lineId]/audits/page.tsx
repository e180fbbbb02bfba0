import { LineAudits } from "@/components/lines/audits/line-audits";
import { LineFrame } from "@/components/lines/line-frame";
import { lineTitle, readLinePage } from "@/lib/runtime/dashboard/read-line-page";

export const generateMetadata = lineTitle("Audits");

type AuditsPageProps = {
  params: Promise<{ lineId: string }>;
  searchParams: Promise<{ audit?: string | string[]; with?: string | string[] }>;
};

export default async function AuditsPage({ params, searchParams }: AuditsPageProps) {
  const [{ lineId }, { audit, with: other }] = await Promise.all([params, searchParams]);
  const { shown } = await readLinePage(lineId);
  return (
    <LineFrame key={lineId} {...shown} current="audits">
      <LineAudits
        initial={shown.initial}
        mayManage={shown.mayManage}
        chosen={[audit].flat()[0]}
        comparedWith={[other].flat()[0]}
      />
    </LineFrame>
  );
}
