/** The last page: address, payment, and the button that buys. */

import { BrowserCart } from "./cart";
import { ApiError, Order, ShopClient } from "./client";
import { formatMoney } from "./format";

/** Checks what the visitor typed, then places the order once. */
export class Checkout {
  private key = crypto.randomUUID();

  constructor(private client: ShopClient, private cart: BrowserCart) {}

  /** Place the order and empty the cart; a sold-out product is shown beside its line. */
  async buy(address: Address): Promise<Order | string> {
    const problem = validateAddress(address);
    if (problem) return problem;
    try {
      const order = await this.client.placeOrder(this.cart.toLines(), this.key);
      this.cart.clear();
      return order;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return "Sold out: " + error.message;
      throw error;
    }
  }
}

export interface Address {
  name: string;
  street: string;
  postcode: string;
  country: string;
}

const POSTCODES: Record<string, RegExp> = { DE: /^\d{5}$/, FR: /^\d{5}$/, IE: /^[A-Z]\d\w \w{4}$/ };

/** What is wrong with an address, in a sentence; "" when it will do. */
export function validateAddress(address: Address): string {
  if (!address.name.trim()) return "Whom shall we write on the parcel?";
  const form = POSTCODES[address.country];
  if (!form) return "We do not deliver there yet.";
  return form.test(address.postcode) ? "" : "This postcode does not look right.";
}

/** The line below the button: the total with the word for taxes. */
export function totalLine(cents: number, currency: string): string {
  return `${formatMoney(cents, currency)} including VAT`;
}
