"use client";

import { type ComponentType, createContext, type ReactNode } from "react";
import type { ApiFailure } from "@/lib/client/api-fetch";

/** The parts of a `DetailsPage` that a side panel shows. */
export type PanelLayoutProps = {
  title: string;
  description?: ReactNode;
  status?: ReactNode;
  actions?: ReactNode;
  failure: ApiFailure | null;
  onRetry: (() => void) | undefined;
  children: ReactNode;
};

/** The layout of `DetailsPage` in a side panel; null on its own page. The panel provides it, so that pages don't load it. */
export const PanelLayout = createContext<ComponentType<PanelLayoutProps> | null>(null);
