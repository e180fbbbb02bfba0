import "server-only";

/** After this many polls without a wake-up or an item, the queue polls less often. */
const BUSY_POLLS = 20;
const QUIET_FACTOR = 4;
/** While nothing waits, a poll finds only work whose wake-up was lost. */
const EMPTY_POLL_MS = 5000;
const EARLIEST_EMPTY_POLL_MS = EMPTY_POLL_MS / 2;

interface PollOptions {
  /** The polling interval. Four times as long while nothing happens. */
  pollMs: number;
  onPoll(): void;
  /** Whether an item waits, due or not. Without it, quiet polls come every four intervals. */
  hasWaiting?(): Promise<boolean>;
}

/** The polls of a queue, for due times and lost wake-ups: less often while nothing happens. */
export class PollTimer {
  readonly #options: PollOptions;
  #quietPolls = 0;
  #timer: NodeJS.Timeout;
  /** The question whether an item waits. */
  #asking: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: PollOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => this.#poll(), options.pollMs);
  }

  /** Polls often again: the queue was woken, or has claimed an item. */
  pollOften(): void {
    const wasQuiet = this.#isQuiet();
    this.#quietPolls = 0;
    if (wasQuiet) this.#pollIn(this.#options.pollMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#asking;
  }

  #poll(): void {
    const { pollMs, hasWaiting, onPoll } = this.#options;
    this.#quietPolls++;
    if (this.#isQuiet() && hasWaiting !== undefined) {
      this.#asking = this.#pollIfWaiting(hasWaiting).finally(() => {
        this.#asking = null;
      });
      return;
    }
    this.#pollIn(pollMs * (this.#isQuiet() ? QUIET_FACTOR : 1));
    onPoll();
  }

  async #pollIfWaiting(hasWaiting: () => Promise<boolean>): Promise<void> {
    // The claim reports an unavailable database.
    const isWaiting = await hasWaiting().catch(() => true);
    // Woken meanwhile: the wake-up has claimed and set the next poll.
    if (this.#isStopped || !this.#isQuiet()) return;
    this.#pollIn(isWaiting ? this.#options.pollMs * QUIET_FACTOR : emptyPollMs());
    if (isWaiting) this.#options.onPoll();
  }

  #pollIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = setTimeout(() => this.#poll(), ms);
  }

  #isQuiet(): boolean {
    return this.#quietPolls > BUSY_POLLS;
  }
}

/** All queues of a process ask at the same times, so that their questions share a statement (`hasRows`). */
function emptyPollMs(): number {
  const left = EMPTY_POLL_MS - (performance.now() % EMPTY_POLL_MS);
  return left < EARLIEST_EMPTY_POLL_MS ? left + EMPTY_POLL_MS : left;
}
