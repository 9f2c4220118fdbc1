// These tests run in parallel, and so do those of the other file: each has a sandbox.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ALICE, BOB, login, notes, prepare } from "./application.mjs";
import { Sandbox } from "./virga.mjs";

const prepared = await prepare();

describe("notes", { concurrency: true }, () => {
  test("a note comes back", async (t) => {
    const client = await login(await Sandbox.create(prepared, t), "alice");
    assert.equal((await client.put(`${ALICE}note`, "hello")).status, 200);
    assert.equal((await client.get(`${ALICE}note`)).text, "hello");
  });

  test("the note of another person is refused", async (t) => {
    const client = await login(await Sandbox.create(prepared, t), "alice");
    for (const answer of [await client.get(`${BOB}note`), await client.put(`${BOB}note`, "")]) {
      assert.deepEqual([answer.status, answer.code], [403, "AccessDenied"]);
    }
  });

  for (let number = 0; number < 12; number++) {
    test(`each test begins in the prepared state ${number}`, async (t) => {
      const box = await Sandbox.create(prepared, t);
      assert.deepEqual(await notes(box), ["hello.txt", "welcome"]);
      const client = await login(box, "alice");
      await client.put(`${ALICE}same`, `${number}`);
      assert.equal((await client.get(`${ALICE}same`)).text, `${number}`);
    });
  }

  test("a bad token is refused", async (t) => {
    const box = await Sandbox.create(prepared, t);
    await assert.rejects(login(box, "alice", { fault: "wrongAudience" }), { status: 400, code: "InvalidIdentityToken" });
  });
});
