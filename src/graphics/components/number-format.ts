/** How numbers are written. */
export interface NumberFormat {
  /** BCP 47 tag of a language; default English. */
  lang?: string | undefined;
  /** Number of decimals; absent: as many as the number has. */
  decimals?: number;
  /** Between groups of digits; `auto` is as in the language, an empty one means no groups. */
  thousands: string;
  /** Before the decimals; `auto` is as in the language. */
  decimal: string;
  /** Whether thousands, millions and so on are abbreviated. */
  isCompact?: boolean;
}

/** More digits are errors of binary fractions. */
const maxDecimalCount = 10;
const compactDigitCount = 3;

const formatters = new Map<string, Intl.NumberFormat>();

/** Writes the absolute value of a number. Unknown languages are written as English. */
export function formatAmount(value: number, { thousands, decimal, ...format }: NumberFormat): string {
  const parts = formatterOf({ ...format, isGrouped: thousands !== '' }).formatToParts(Math.abs(value));
  return parts
    .map(({ type, value: text }) => (type === 'group' && thousands !== 'auto' ? thousands : type === 'decimal' && decimal !== 'auto' ? decimal : text))
    .join('')
    .replaceAll(/\s/g, '\u00a0');
}

function formatterOf({ lang = 'en', decimals, isCompact = false, isGrouped }: Omit<NumberFormat, 'thousands' | 'decimal'> & { isGrouped: boolean }) {
  const key = `${lang} ${decimals} ${isCompact} ${isGrouped}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    const digits = isCompact
      ? { notation: 'compact' as const, maximumSignificantDigits: compactDigitCount }
      : { minimumFractionDigits: decimals ?? 0, maximumFractionDigits: decimals ?? maxDecimalCount };
    formatter = openFormatter(lang, { ...digits, useGrouping: isGrouped, numberingSystem: 'latn' });
    formatters.set(key, formatter);
  }
  return formatter;
}

function openFormatter(lang: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(lang, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Intl.NumberFormat('en', options);
  }
}
