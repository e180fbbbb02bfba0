"use client";

import { createContext, type ReactNode, useContext } from "react";
import { digitGroups, type PhoneFormats } from "@/lib/platform/text/digit-groups";

const Formats = createContext<PhoneFormats>({});

type PhoneFormatsProviderProps = { formats: PhoneFormats; children: ReactNode };

/** Provides how the numbers of some calling codes are grouped. */
export function PhoneFormatsProvider({ formats, children }: PhoneFormatsProviderProps) {
  return <Formats value={formats}>{children}</Formats>;
}

/** Numbers in a text, but none that belongs to an email address, a link or an id. */
const NUMBER = /((?<![\w./%-])\+[1-9]\d{6,14}(?![\w@]))/;

/**
 * A text whose phone numbers are shown in groups. The space between the groups is a margin, so that a number is copied,
 * found in the page and read aloud without spaces. Anything but a text is shown as it is.
 */
export function Grouped({ children }: { children: ReactNode }) {
  const formats = useContext(Formats);
  if (typeof children !== "string") return children;
  return children.split(NUMBER).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity
      <span key={index} dir="ltr" className="whitespace-nowrap">
        {digitGroups(part, formats).map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a number have no identity
          <span key={at} className="not-first:ml-[0.25em]">
            {group}
          </span>
        ))}
      </span>
    ),
  );
}
