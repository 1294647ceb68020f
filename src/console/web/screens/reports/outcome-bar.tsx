interface OutcomeBarProps {
  readonly good: number;
  readonly bad: number;
  /** As much as fills the bar. */
  readonly most: number;
}

/** As long as there is much of it; the figures stand beside it, for those who see no colours or no bar. */
export function OutcomeBar({ good, bad, most }: OutcomeBarProps) {
  return (
    <span class="bar" aria-hidden="true">
      <span class="valid" style={{ width: `${(good / most) * 100}%` }} />
      <span class="invalid" style={{ width: `${(bad / most) * 100}%` }} />
    </span>
  );
}
