// These tests run one after another in one sandbox, which is restored before each of them.

import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import { ALICE, login, notes, prepare } from "./application.mjs";
import { Sandbox } from "./virga.mjs";

const prepared = await prepare();
const box = await Sandbox.create(prepared);
after(() => box.delete());

describe("a restored sandbox", () => {
  beforeEach(() => box.restore(prepared));

  for (const number of [1, 2, 3]) {
    test(`begins anew ${number}`, async () => {
      assert.deepEqual(await notes(box), ["hello.txt", "welcome"]);
      await (await login(box, "alice")).put(`${ALICE}same`, "");
      assert.deepEqual(await notes(box), ["hello.txt", "same", "welcome"]);
    });
  }

  test("does not know what was issued before", async () => {
    const client = await login(box, "alice");
    assert.equal((await client.get(`${ALICE}welcome`)).status, 200);
    await box.restore(prepared);
    assert.equal((await client.get(`${ALICE}welcome`)).code, "InvalidToken");
  });

  test("has its own clock", async (t) => {
    const other = await Sandbox.create(prepared, t);
    const [aged, fresh] = [await login(box, "alice"), await login(other, "alice")];
    await box.control("POST", "/clock", { age: "PT1H5M" });
    assert.equal((await aged.get(`${ALICE}welcome`)).code, "ExpiredToken");
    assert.equal((await fresh.get(`${ALICE}welcome`)).status, 200);
  });
});
