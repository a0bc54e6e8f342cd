/** Requests of the shop window to the shop's API. */

export interface Problem {
  code: string;
  message: string;
}

/** What the API refused, with its code and sentence. */
export class ApiError extends Error {
  constructor(readonly status: number, readonly problem: Problem) {
    super(problem.message);
  }
}

/** Sends requests with the visitor's token, and once more after it was renewed. */
export class ShopClient {
  constructor(private base: string, private token: string) {}

  /** Products whose name or description has these words, a page at a time. */
  async listProducts(words: string, cursor = ""): Promise<Page<Product>> {
    return this.send("GET", `/products?q=${encodeURIComponent(words)}&cursor=${cursor}`);
  }

  /** Turn the cart into an order; the key makes a second click harmless. */
  async placeOrder(lines: CartLine[], key: string): Promise<Order> {
    return this.send("POST", "/orders", { lines }, { "Idempotency-Key": key });
  }

  /** One order, for the page that shows where it is. */
  async getOrder(id: string): Promise<Order> {
    return this.send("GET", `/orders/${id}`);
  }

  private async send<T>(method: string, path: string, body?: unknown, headers = {}): Promise<T> {
    const answer = await fetch(this.base + path, {
      method,
      body: body ? JSON.stringify(body) : undefined,
      headers: { Authorization: `Bearer ${this.token}`, ...headers },
    });
    if (answer.status === 401) {
      this.token = await renewToken(this.base, this.token);
      return this.send(method, path, body, headers);
    }
    if (!answer.ok) throw new ApiError(answer.status, await answer.json());
    return answer.json();
  }
}

/** A new token for one that has expired. */
export async function renewToken(base: string, old: string): Promise<string> {
  const answer = await fetch(`${base}/token/renew`, { method: "POST", body: old });
  return (await answer.json()).token;
}

export interface Product {
  id: string;
  name: string;
  price: number;
}

export interface CartLine {
  productId: string;
  quantity: number;
}

export interface Order {
  id: string;
  state: "placed" | "paid" | "shipped" | "cancelled";
}

export interface Page<T> {
  items: T[];
  next?: string;
}
