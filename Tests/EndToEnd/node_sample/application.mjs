// What both files of tests share: an application that keeps each person's notes in a folder of a bucket.

import { after } from "node:test";
import { S3 } from "./s3.mjs";
import { Sandbox, deleteSnapshot } from "./virga.mjs";

export const BUCKET = "personal-files";
export const ROLE = "arn:aws:iam::000000000000:role/personal-files-company";
export const ALICE = "employee-0001-alice/";
export const BOB = "employee-0002-bob/";

/** Returns the snapshot in which each test begins. Each process of `node --test` makes its own. */
export async function prepare() {
  const box = await Sandbox.create();
  await new S3(box.url, BUCKET, box.root).put(`${ALICE}welcome`, "Write your first note.");
  const snapshot = await box.snapshot();
  await box.delete();
  after(() => deleteSnapshot(snapshot));
  return snapshot;
}

/** Returns the S3 client of a person, who exchanges an ID token for credentials of the role. */
export async function login(box, person, fields = {}) {
  return new S3(box.url, BUCKET, await box.assume(ROLE, await box.token("company", person, fields)));
}

/** Returns the names of alice's notes. */
export async function notes(box) {
  const { text } = await new S3(box.url, BUCKET, box.root).list(ALICE);
  return [...text.matchAll(/<Key>employee-0001-alice\/([^<]*)</g)].map(([, name]) => name);
}
