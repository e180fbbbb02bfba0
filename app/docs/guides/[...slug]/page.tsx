import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GuidePage } from "@/components/docs/guide-page";
import { listGuides } from "@/lib/docs/guides/list-guides";
import { readGuide } from "@/lib/docs/guides/read-guide";

export const dynamicParams = false;

type GuideParams = { params: Promise<{ slug: string[] }> };

export function generateStaticParams() {
  return listGuides("/docs/guides/").map(({ href }) => ({ slug: href.split("/").slice(3) }));
}

export async function generateMetadata({ params }: GuideParams): Promise<Metadata> {
  return { title: (await knownGuide(params)).title };
}

export default async function Guide({ params }: GuideParams) {
  return <GuidePage guide={await knownGuide(params)} />;
}

async function knownGuide(params: GuideParams["params"]) {
  return readGuide(`/docs/guides/${(await params).slug.join("/")}`) ?? notFound();
}
