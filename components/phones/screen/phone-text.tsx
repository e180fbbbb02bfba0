"use client";

import { Globe } from "lucide-react";
import { TextPartView } from "@/components/chats/parts/text-part";
import type { TextPart } from "@/components/chats/parts/text-segments";
import { useOpenPhone } from "@/components/phones/phone-context";
import { findLinks, phonePagePath } from "@/components/phones/screen/find-links";

/** A text on a phone. Links to the checkout and the wallet open in the phone. */
export function PhoneText({ part }: { part: TextPart }) {
  const isPlain = ![part.text_decorations, part.mentions, part.inline_stickers].some(
    (marks) => marks?.length,
  );
  if (!isPlain) return <TextPartView part={part} />;
  return findLinks(part.value).map(({ start, text, url }) =>
    url === null ? <span key={start}>{text}</span> : <PhoneLink key={start} url={url} text={text} />,
  );
}

/** A link in a text. */
function PhoneLink({ url, text }: { url: string; text: string }) {
  const open = useOpenInPhone(url);
  const look = "break-all text-left underline underline-offset-2";
  if (open !== null) {
    return (
      <button type="button" className={look} onClick={open}>
        {text}
      </button>
    );
  }
  return (
    <a href={url} target="_blank" rel="noreferrer nofollow" className={look}>
      {text}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** A link that was sent as a preview card. */
export function PhoneLinkCard({ url }: { url: string }) {
  const open = useOpenInPhone(url);
  const content = (
    <>
      <span className="flex h-16 items-center justify-center bg-muted text-muted-foreground">
        <Globe className="size-6" aria-hidden="true" />
      </span>
      <span className="block px-3 py-2">
        <span className="block truncate font-medium text-sm">
          {open === null ? (URL.parse(url)?.host ?? url) : "Open payment page"}
        </span>
        <span className="block truncate text-muted-foreground text-xs">{URL.parse(url)?.host ?? url}</span>
      </span>
    </>
  );
  const look =
    "block w-56 max-w-full overflow-hidden rounded-2xl border bg-card text-left text-card-foreground hover:bg-accent";
  if (open !== null) {
    return (
      <button type="button" className={look} onClick={open}>
        {content}
      </button>
    );
  }
  return (
    <a href={url} target="_blank" rel="noreferrer nofollow" className={look}>
      {content}
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}

/** Opens the checkout and the wallet of this instance in the phone; null for other URLs. */
export function useOpenInPhone(url: string): (() => void) | null {
  const { baseUrl, go, place } = useOpenPhone();
  const path = phonePagePath(url, baseUrl, typeof location === "undefined" ? null : location.origin);
  return path === null ? null : () => go({ type: "browser", url: path, back: place });
}
