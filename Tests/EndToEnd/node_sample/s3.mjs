// A client of S3 for one bucket, which signs by Signature Version 4. An application uses the SDK of AWS instead.

import { createHash, createHmac } from "node:crypto";

const hmac = (key, text) => createHmac("sha256", key).update(text).digest();

export class S3 {
  constructor(url, bucket, credentials) {
    Object.assign(this, { url, bucket, credentials });
  }

  put(key, body) {
    return this.#send("PUT", key, "", body);
  }

  get(key) {
    return this.#send("GET", key);
  }

  list(prefix) {
    return this.#send("GET", "", `list-type=2&prefix=${encodeURIComponent(prefix)}`);
  }

  /** Sends a request. The key must need no percent-encoding, and the parameters must be in order. */
  async #send(method, key, query = "", body = undefined) {
    const address = new URL(`${this.url}/${this.bucket}/${key}${query && `?${query}`}`);
    const { accessKeyId, secretAccessKey, sessionToken } = this.credentials;
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
    const headers = { host: address.host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD", "x-amz-date": time };
    if (sessionToken) headers["x-amz-security-token"] = sessionToken;
    const names = Object.keys(headers).join(";");
    const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`).join("");
    const canonical = [method, address.pathname, query, lines, names, "UNSIGNED-PAYLOAD"].join("\n");
    const scope = [time.slice(0, 8), "us-east-1", "s3", "aws4_request"];
    const digest = createHash("sha256").update(canonical).digest("hex");
    const signing = scope.reduce(hmac, `AWS4${secretAccessKey}`);
    const signature = hmac(signing, ["AWS4-HMAC-SHA256", time, scope.join("/"), digest].join("\n")).toString("hex");
    delete headers.host;
    headers.authorization =
      `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join("/")}, SignedHeaders=${names}, Signature=${signature}`;
    const answer = await fetch(address, { method, headers, body });
    const text = await answer.text();
    return { status: answer.status, text, code: text.match(/<Code>([^<]*)</)?.[1] };
  }
}
