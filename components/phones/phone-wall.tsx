"use client";

import { Smartphone } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { PageHeader } from "@/components/data/page-header";
import { useNow } from "@/components/data/time/clock";
import { StreamBadge } from "@/components/events/stream-badge";
import { AddPhoneButton } from "@/components/phones/add-phone-button";
import { Recorder } from "@/components/phones/apps/recorder";
import { MagicHandles } from "@/components/phones/magic-handles";
import { PhonePickerButton } from "@/components/phones/phone-picker-button";
import { PhoneDevice } from "@/components/phones/screen/phone-device";
import { useTestRecorder } from "@/components/phones/test-recorder/use-test-recorder";
import { usePhones } from "@/components/phones/use-phones";
import { PageBody } from "@/components/shell/page-body";
import { useMay } from "@/components/shell/rights";
import { Button } from "@/components/ui/button";
import { queryString } from "@/lib/client/query-string";
import { cn } from "@/lib/cn";
import type { MagicHandle } from "@/lib/simulator/magic-handles/magic-handles";
import type { PhoneViews as View } from "@/lib/simulator/phones/phone-views";

type PhoneWallProps = {
  initial: View;
  /** The handles of the phones on the wall. */
  initialOpen: readonly string[];
  magicHandles: readonly MagicHandle[];
  baseUrl: string;
  now: string;
};

/** The wall of simulated phones. On a small screen, one phone at a time. */
export function PhoneWall({ initial, initialOpen, magicHandles, baseUrl, now }: PhoneWallProps) {
  const [open, setOpen] = useState(initialOpen);
  const [active, setActive] = useState<string | null>(null);
  const { view, failure, status, refresh } = usePhones(open, initial);
  const may = useMay();
  const maySend = may("send_messages");
  const recorder = useTestRecorder(view);
  const { nowMs } = useNow();
  const clock = nowMs === null ? now : new Date(nowMs).toISOString();
  const shown = open.flatMap((handle) => view.phones.find((phone) => phone.handle === handle) ?? []);
  // One phone is in front on a small screen: the one in use, or the first.
  const front = shown.find(({ handle }) => handle === active)?.handle ?? shown[0]?.handle;

  function change(next: readonly string[]): void {
    setOpen(next);
    window.history.replaceState(null, "", `/phones${queryString({ open: next.join(",") })}`);
  }

  function show(handle: string): void {
    if (!open.includes(handle)) change([...open, handle]);
    setActive(handle);
  }

  return (
    <PageBody className="max-w-none sm:px-8">
      <PageHeader
        title="Phones"
        description={
          <span className="max-sm:hidden">
            The simulated phones of this sandbox. Write as a person and see what your customers see.
          </span>
        }
        status={<StreamBadge status={status} />}
        actions={
          <>
            <Button asChild variant="outline" size="sm">
              <Link href="/phones/first-steps">First steps</Link>
            </Button>
            <PhonePickerButton phones={view.phones} open={open} onShow={show} />
            {maySend && (
              <div className="max-sm:hidden">
                <Recorder recorder={recorder} phones={view.phones} />
              </div>
            )}
            {maySend && <AddPhoneButton onAdded={(handle) => void refresh().then(() => show(handle))} />}
          </>
        }
      />
      <FailureNote title="The phones may be out of date" failure={failure} onRetry={() => void refresh()} />
      {shown.length === 0 ? (
        <EmptyState
          icon={Smartphone}
          title="No phone is shown"
          description="Phones of people appear here. Choose one above, or add a phone."
        />
      ) : (
        <>
          <FrontPhone phones={shown} front={front} onChoose={setActive} />
          <div className="flex flex-wrap justify-center gap-x-6 gap-y-10 lg:justify-start">
            {shown.map((phone) => (
              <div
                key={phone.handle}
                className={cn("w-full sm:w-auto", phone.handle !== front && "max-sm:hidden")}
              >
                <PhoneDevice
                  phone={phone}
                  view={view}
                  baseUrl={baseUrl}
                  now={clock}
                  maySend={maySend}
                  isActive={phone.handle === active}
                  onUse={() => setActive(phone.handle)}
                  onClose={() => change(open.filter((handle) => handle !== phone.handle))}
                  refresh={refresh}
                  onStep={recorder.isOn ? recorder.add : undefined}
                />
              </div>
            ))}
          </div>
        </>
      )}
      <MagicHandles
        handles={magicHandles}
        existing={new Set(view.phones.map(({ handle }) => handle))}
        maySend={maySend}
        onShow={(handle) => void refresh().then(() => show(handle))}
      />
    </PageBody>
  );
}

type FrontPhoneProps = {
  phones: View["phones"];
  front: string | undefined;
  onChoose: (handle: string) => void;
};

/** Chooses the phone in front on a small screen. */
function FrontPhone({ phones, front, onChoose }: FrontPhoneProps) {
  if (phones.length < 2) return null;
  return (
    <div role="toolbar" aria-label="Phone in front" className="flex gap-1 overflow-x-auto sm:hidden">
      {phones.map(({ handle, name }) => (
        <Button
          key={handle}
          variant={handle === front ? "secondary" : "ghost"}
          size="sm"
          aria-pressed={handle === front}
          onClick={() => onChoose(handle)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
