import type { Metadata, Viewport } from "next";
import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { ReactNode } from "react";
import { ThemeProvider } from "@/components/shell/theme/theme-provider";
import { cn } from "@/lib/cn";

export const metadata: Metadata = {
  title: { default: "Trunkline", template: "%s · Trunkline" },
  description: "Messages and payments over iMessage, RCS and SMS from your own lines.",
  icons: { icon: "/icon.svg" },
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fcfcfd" },
    { media: "(prefers-color-scheme: dark)", color: "#0e0f12" },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className={cn(GeistSans.variable, GeistMono.variable)} suppressHydrationWarning>
      <body className="min-h-dvh text-sm">
        <ThemeProvider>{children}</ThemeProvider>
      </body>
    </html>
  );
}
