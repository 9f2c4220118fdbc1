// Gives each test a sandbox of its own on a running Virga server. Copy this file; it needs Node 18 and no package.
//
// VIRGA_ENDPOINT is the URL of the server (default http://127.0.0.1:4566). VIRGA_CONTROL_TOKEN is its control token, if it has one, or
// VIRGA_CONTROL_TOKEN_FILE a file with it.

import { readFileSync } from "node:fs";

const endpoint = process.env.VIRGA_ENDPOINT ?? "http://127.0.0.1:4566";

/** An error of the control API or of STS. */
export class Refusal extends Error {
  constructor(status, code, answer) {
    super(answer);
    this.status = status;
    this.code = code;
  }
}

/** A cloud of its own at `url`. `root` are the keys of the root user. */
export class Sandbox {
  /**
   * Creates a sandbox from "seed" or from a snapshot. With the context of a test, deletes it when the test ends.
   * The server deletes it after an hour, if nothing else does.
   */
  static async create(origin = "seed", test = undefined) {
    const answer = await call(endpoint, "POST", "/sandboxes", { prefix: "node", from: origin, port: true, expires: "PT1H" });
    const box = new Sandbox(answer);
    test?.after(() => box.delete());
    return box;
  }

  constructor({ name, portURL, accessKeyId, secretAccessKey }) {
    this.name = name;
    this.root = { accessKeyId, secretAccessKey };
    // Another container reaches the port under the name by which it reaches the server.
    const url = new URL(endpoint);
    url.port = new URL(portURL).port;
    this.url = url.origin;
  }

  /** Deletes the sandbox. Snapshots of it remain. */
  async delete() {
    await call(endpoint, "DELETE", `/sandboxes/${this.name}`);
  }

  /** Keeps the present state under the name of the sandbox, and returns this name. */
  async snapshot() {
    await call(endpoint, "POST", `/sandboxes/${this.name}/snapshots`, { name: this.name, replace: true });
    return this.name;
  }

  /** Puts the state of a snapshot in place of the sandbox's state. */
  async restore(snapshot) {
    await call(endpoint, "POST", `/sandboxes/${this.name}/restore`, { snapshot });
  }

  /** Sends a call of the control API to the sandbox, such as POST /clock, and returns its answer. */
  async control(method, path, body = undefined) {
    return await call(this.url, method, path, body);
  }

  /** Returns an ID token of a person, as after a login. Fields such as `{fault: "expired"}` make it a bad one. */
  async token(provider, user, fields = {}) {
    return (await this.control("POST", "/tokens", { provider, user, ...fields })).token;
  }

  /** Returns the credentials that STS issues for an ID token. */
  async assume(role, token) {
    const body = new URLSearchParams({
      Action: "AssumeRoleWithWebIdentity", Version: "2011-06-15", RoleArn: role, RoleSessionName: "test", WebIdentityToken: token,
    });
    const answer = await fetch(this.url, { method: "POST", body });
    const text = await answer.text();
    const field = (name) => text.match(`<${name}>([^<]*)</`)?.[1];
    if (!answer.ok) throw new Refusal(answer.status, field("Code"), text);
    return { accessKeyId: field("AccessKeyId"), secretAccessKey: field("SecretAccessKey"), sessionToken: field("SessionToken") };
  }

  /** Returns the variables for a child process that uses an SDK. */
  get env() {
    return {
      ...process.env, AWS_ENDPOINT_URL: this.url, AWS_REGION: "us-east-1", AWS_DEFAULT_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: this.root.accessKeyId, AWS_SECRET_ACCESS_KEY: this.root.secretAccessKey,
    };
  }
}

/** Deletes a snapshot. */
export async function deleteSnapshot(name) {
  await call(endpoint, "DELETE", `/snapshots/${name}`);
}

function controlToken() {
  const { VIRGA_CONTROL_TOKEN: token, VIRGA_CONTROL_TOKEN_FILE: file } = process.env;
  if (!file) return token;
  if (token) throw new Error("VIRGA_CONTROL_TOKEN and VIRGA_CONTROL_TOKEN_FILE cannot be combined. Set one of them.");
  return readFileSync(file, "utf8").replace(/\r?\n$/, "");
}

async function call(address, method, path, body) {
  const token = controlToken();
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await fetch(`${address}/_virga${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Refusal(answer.status, text.match(/"error":"([^"]*)"/)?.[1], `${method} /_virga${path}: ${text}`);
  return JSON.parse(text);
}
