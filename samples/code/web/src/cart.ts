/** The cart that the browser keeps while the visitor looks around. */

import { CartLine } from "./client";

const KEY = "larkfield.cart";

/** Lines by product, saved in local storage at every change. */
export class BrowserCart {
  private lines = new Map<string, number>();
  private listeners: (() => void)[] = [];

  constructor(private storage: Storage) {
    this.restore();
  }

  /** One more of a product. */
  add(productId: string, quantity = 1): void {
    this.lines.set(productId, (this.lines.get(productId) ?? 0) + quantity);
    this.save();
  }

  /** Change how many; none takes the line out. */
  setQuantity(productId: string, quantity: number): void {
    if (quantity <= 0) this.lines.delete(productId);
    else this.lines.set(productId, quantity);
    this.save();
  }

  /** Empty it, after the order was placed. */
  clear(): void {
    this.lines.clear();
    this.save();
  }

  /** The lines in the form in which the API takes them. */
  toLines(): CartLine[] {
    return [...this.lines].map(([productId, quantity]) => ({ productId, quantity }));
  }

  /** Be told of every change, to draw the badge again. */
  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  private save(): void {
    this.storage.setItem(KEY, JSON.stringify([...this.lines]));
    this.listeners.forEach((listener) => listener());
  }

  private restore(): void {
    this.lines = new Map(JSON.parse(this.storage.getItem(KEY) ?? "[]"));
  }
}

/** The number in the corner of the cart's icon; more than 99 is 99+. */
export function badge(lines: CartLine[]): string {
  const count = lines.reduce((sum, line) => sum + line.quantity, 0);
  return count > 99 ? "99+" : String(count);
}
