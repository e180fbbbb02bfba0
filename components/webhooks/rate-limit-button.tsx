"use client";

import { Gauge } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";
import type { RateLimitProps } from "@/components/webhooks/rate-limit";

const load = async () => (await import("@/components/webhooks/rate-limit")).RateLimit;

/** Opens the form of an endpoint's rate limit. */
export function RateLimitButton(props: RateLimitProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm">
          <Gauge aria-hidden="true" />
          Rate limit
        </Button>
      }
    />
  );
}
