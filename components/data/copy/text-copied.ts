"use client";

import { createContext } from "react";

/** Called with each text that a copy button put on the clipboard. `SecretDialog` listens for its secret. */
export const TextCopied = createContext<(text: string) => void>(() => undefined);
