import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GuidePage } from "@/components/docs/guide-page";
import { listGuides } from "@/lib/docs/guides/list-guides";
import { readGuide } from "@/lib/docs/guides/read-guide";

export const dynamicParams = false;

type QuickstartParams = { params: Promise<{ language: string }> };

export function generateStaticParams() {
  return listGuides("/docs/quickstarts/").map(({ href }) => ({ language: href.split("/").at(-1) }));
}

export async function generateMetadata({ params }: QuickstartParams): Promise<Metadata> {
  return { title: (await knownQuickstart(params)).title };
}

export default async function Quickstart({ params }: QuickstartParams) {
  return <GuidePage guide={await knownQuickstart(params)} />;
}

async function knownQuickstart(params: QuickstartParams["params"]) {
  return readGuide(`/docs/quickstarts/${(await params).language}`) ?? notFound();
}
