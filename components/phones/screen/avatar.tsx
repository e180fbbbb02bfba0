import { Users } from "lucide-react";
import { storedImagePath } from "@/components/chats/parts/stored-file-path";
import { initials } from "@/components/shell/initials";
import { cn } from "@/lib/cn";

const HUES = [18, 75, 145, 200, 255, 300, 340];

type AvatarProps = {
  name: string;
  isGroup?: boolean;
  /** The URL of a group's icon. */
  iconUrl?: string | null;
  className?: string;
};

/** The round image of a person, a line or a group: the group's icon, or initials on a color of their own. */
export function PhoneAvatar({ name, isGroup = false, iconUrl = null, className }: AvatarProps) {
  const icon = storedImagePath(iconUrl);
  if (icon !== null) {
    return (
      // biome-ignore lint/performance/noImgElement: a file behind a signed URL
      <img
        src={icon}
        alt={`Icon of ${name}`}
        className={cn("size-10 shrink-0 rounded-full object-cover", className)}
      />
    );
  }
  const hue = HUES[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % HUES.length];
  const letters = /^[+\d]/.test(name) ? name.slice(-2) : initials(name);
  return (
    <span
      aria-hidden="true"
      style={{ background: `oklch(0.5 0.1 ${hue})` }}
      className={cn(
        "flex size-10 shrink-0 items-center justify-center rounded-full font-semibold text-white text-xs",
        className,
      )}
    >
      {isGroup ? <Users className="size-4" /> : letters}
    </span>
  );
}
