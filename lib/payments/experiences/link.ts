import "server-only";
import { type ActionCall, type CardContent, textOf } from "@/lib/payments/experiences/card-content";

/** link/open: a card that opens the given URL. */
export async function openLink({ params }: ActionCall): Promise<CardContent> {
  const url = String(params.url);
  return {
    url,
    title: textOf(params, "title") ?? new URL(url).hostname,
    subtitle: textOf(params, "subtitle") ?? textOf(params, "note"),
    aside: null,
    subject: null,
  };
}
