import { readGuideImage } from "@/lib/docs/guides/guide-images";

type ImageContext = { params: Promise<{ name: string }> };

export const dynamic = "force-dynamic";

/** An image of the guides. Pages name its version, Markdown files do not. */
export async function GET(request: Request, { params }: ImageContext): Promise<Response> {
  const image = readGuideImage((await params).name);
  if (image === null) return new Response("This image does not exist.\n", { status: 404 });
  const isCurrent = new URL(request.url).searchParams.get("v") === image.version;
  return new Response(image.svg, {
    headers: {
      "content-type": "image/svg+xml; charset=utf-8",
      "cache-control": isCurrent ? "public, max-age=31536000, immutable" : "public, max-age=300",
    },
  });
}
