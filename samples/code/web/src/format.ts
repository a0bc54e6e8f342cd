/** How amounts and dates are written for the visitor's language. */

/** Cents as an amount with its currency sign. */
export const formatMoney = (cents: number, currency: string, locale = "en"): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency }).format(cents / 100);

/** "today", "tomorrow", or the day: when a parcel will arrive. */
export function formatArrival(date: Date, now = new Date()): string {
  const days = Math.round((date.getTime() - now.getTime()) / 86_400_000);
  if (days <= 0) return "today";
  return days === 1 ? "tomorrow" : date.toLocaleDateString();
}
