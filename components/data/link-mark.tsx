"use client";

import { useLinkStatus } from "next/link";

/** Inside a link: a line along its lower edge from the click until the page is there. The link is positioned. */
export function LinkMark() {
  const { pending } = useLinkStatus();
  return <span aria-hidden="true" className="link-mark" data-pending={pending || undefined} />;
}
